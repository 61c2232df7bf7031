#!/usr/bin/env node
// Plain JavaScript for any Node, so that an old one gets a sentence instead of a syntax error.
import module from 'node:module'
import {homedir} from 'node:os'
import {join} from 'node:path'
import process from 'node:process'

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`Error: agentctl needs Node 22.19 or newer, this is ${process.versions.node}\n`)
  process.exitCode = 4
} else {
  const caches = cacheFolder()
  if (caches !== '') module.enableCompileCache?.(join(caches, 'agentctl', 'compile'))
  const {start} = await import('../dist/main.js')
  await start()
}

/**
 * The user's own folder, or none: the default of Node is a predictable one that other local users could prepare.
 * @returns {string}
 */
function cacheFolder() {
  if (process.env.XDG_CACHE_HOME) return process.env.XDG_CACHE_HOME
  try {
    return join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache')
  } catch {
    // A container's user who is but a number has no home.
    return ''
  }
}
