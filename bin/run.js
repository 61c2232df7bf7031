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
  // The user's own folder: the default is a predictable one that other local users could prepare.
  const caches =
    process.env.XDG_CACHE_HOME || join(homedir(), process.platform === 'darwin' ? 'Library/Caches' : '.cache')
  module.enableCompileCache?.(join(caches, 'agentctl', 'compile'))
  const {start} = await import('../dist/main.js')
  await start()
}
