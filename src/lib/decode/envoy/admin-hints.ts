import type {Subject} from '../content-error.ts'

/** What to do where something other than Envoy's admin interface seems to have answered. */
export const ADMIN_HINTS: NonNullable<Subject['hints']> = {
  'path-unknown': 'Another program may listen on this port: name the right one with --proxy-admin-port',
  'not-an-admin-port': 'This text comes from a port for traffic: name the admin port with --proxy-admin-port',
}
