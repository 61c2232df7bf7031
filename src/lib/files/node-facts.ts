import type {NodeIdentity} from '../domain/observation.ts'

/** What a dump's bootstrap says of the pod it is of. */
export interface NodeFacts {
  readonly identity: NodeIdentity
  /** Absent where the dump does not say. */
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly serviceAccount?: string
  readonly nodeName?: string
  readonly version?: string
  /** `deployments/cart`, from `kubernetes://apis/apps/v1/namespaces/shop/deployments/cart`. */
  readonly owner?: string
}
