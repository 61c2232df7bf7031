import type {MeshSeen} from '../domain/mesh-facts.ts'
import type {FleetRoots} from '../domain/roots.ts'
import type {RuleInfo} from '../domain/rule.ts'
import type {Judged} from './rule.ts'

/** All that is known of the pods together when the rules on nodes and on the fleet are held against them. */
export interface FleetEvidence {
  readonly roots: FleetRoots
  readonly mesh: MeshSeen
}

/** A rule on the nodes, or on all pods together. */
export interface FleetRule extends RuleInfo {
  readonly scope: 'node' | 'fleet'
  judge(fleet: FleetEvidence): Judged
}
