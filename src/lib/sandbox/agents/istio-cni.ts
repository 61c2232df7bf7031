import {splitPath, textAnswer} from './pod-port.ts'
import type {PodPort} from './pod-port.ts'

/** How a node's istio-cni stands. */
export interface CniModel {
  readonly isInstalled: () => boolean
  readonly hasZtunnel: () => boolean
}

/** Ports of istio-cni's node agent (istio `cni/pkg/install`, `cni/cmd`). */
export function cniPorts({isInstalled, hasZtunnel}: CniModel): ReadonlyMap<number, PodPort> {
  return new Map<number, PodPort>([
    [
      8000,
      {
        bindsToPod: true,
        answer({path}) {
          const {pathname} = splitPath(path)
          if (pathname === '/healthz') return textAnswer(200, '')
          return pathname === '/readyz' ? textAnswer(isInstalled() ? 200 : 503, '') : textAnswer(404, '')
        },
      },
    ],
    [
      15014,
      {
        bindsToPod: true,
        answer: ({path}) =>
          splitPath(path).pathname === '/metrics'
            ? textAnswer(200, metrics(isInstalled(), hasZtunnel()), 'text/plain; version=0.0.4; charset=utf-8')
            : textAnswer(404, '404 page not found\n'),
      },
    ],
  ])
}

function metrics(isInstalled: boolean, hasZtunnel: boolean): string {
  return `# HELP istio_cni_install_ready Whether the CNI plugin installation is ready or not
# TYPE istio_cni_install_ready gauge
istio_cni_install_ready ${isInstalled ? '1' : '0'}
# HELP ztunnel_connected number of connections to ztunnel
# TYPE ztunnel_connected gauge
ztunnel_connected ${hasZtunnel ? '1' : '0'}
`
}
