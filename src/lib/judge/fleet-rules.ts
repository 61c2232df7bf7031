import type {FleetRule} from './fleet-rule.ts'
import {rootDivergent} from './rules/root-divergent.ts'

/** The rules on nodes and on the fleet, in the order in which they are told. */
export const FLEET_RULES: readonly FleetRule[] = [rootDivergent]
