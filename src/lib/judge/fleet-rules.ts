import type {FleetRule} from './fleet-rule.ts'
import {cniNotReady} from './rules/cni-not-ready.ts'
import {nodeWithoutAgent} from './rules/node-without-agent.ts'
import {rootDivergent} from './rules/root-divergent.ts'
import {versionSkew} from './rules/version-skew.ts'
import {ztunnelDisconnected} from './rules/ztunnel-disconnected.ts'

/** The rules on nodes and on the fleet, in the order in which they are told. */
export const FLEET_RULES: readonly FleetRule[] = [
  rootDivergent,
  ztunnelDisconnected,
  cniNotReady,
  nodeWithoutAgent,
  versionSkew,
]
