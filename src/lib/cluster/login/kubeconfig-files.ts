import path from 'node:path'
import type {ConnectionOptions} from './connection-options.ts'

/** Where the kubeconfig is to be read from, and whether its absence is an error. */
export interface KubeconfigFiles {
  /** In the order in which they are merged: earlier files win. */
  readonly paths: readonly string[]
  /** Named by `--kubeconfig`: it must be there. */
  readonly required: boolean
}

/**
 * Finds the kubeconfig files as client-go does (`clientcmd.NewDefaultClientConfigLoadingRules`): the flag, else the
 * list in `KUBECONFIG`, split by the platform's separator, else `.kube/config` at home. On Windows the home is the
 * first of `HOME`, `HOMEDRIVE`+`HOMEPATH` and `USERPROFILE` that holds a kubeconfig (client-go `homedir.go`).
 */
export function findKubeconfigFiles(
  options: Pick<ConnectionOptions, 'kubeconfig' | 'env' | 'homeDir' | 'platform' | 'cwd'>,
  exists: (file: string) => boolean,
): KubeconfigFiles {
  const paths = options.platform === 'win32' ? path.win32 : path.posix
  if (options.kubeconfig !== undefined && options.kubeconfig !== '') {
    return {paths: [paths.resolve(options.cwd, options.kubeconfig)], required: true}
  }
  const listed = (options.env['KUBECONFIG'] ?? '').split(paths.delimiter).filter((file) => file !== '')
  if (listed.length > 0) {
    return {paths: [...new Set(listed.map((file) => paths.resolve(options.cwd, file)))], required: false}
  }
  const candidates = homes(options).map((home) => paths.join(home, '.kube', 'config'))
  const found = candidates.find((file) => exists(file)) ?? candidates[0]
  return {paths: found === undefined ? [] : [found], required: false}
}

function homes(options: Pick<ConnectionOptions, 'env' | 'homeDir' | 'platform'>): string[] {
  if (options.platform !== 'win32') return [options.env['HOME'] ?? '', options.homeDir].filter((home) => home !== '')
  const {HOME, HOMEDRIVE, HOMEPATH, USERPROFILE} = options.env
  const fromDrive = HOMEDRIVE && HOMEPATH ? path.win32.join(HOMEDRIVE, HOMEPATH) : ''
  return [HOME ?? '', fromDrive, USERPROFILE ?? '', options.homeDir].filter((home) => home !== '')
}
