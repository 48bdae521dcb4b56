// Names in the environment that look like settings and are none: a misspelt one would be ignored without a word.
import { closest } from 'fastest-levenshtein'

/** `SESSION_MANAGER` belongs to Linux desktops. */
const OURS = /^(?:OIDC|REDIS|UPSTREAM|SESSION(?!_MANAGER$))_/
/** Set by Kubernetes for each service of the namespace. */
const SERVICE_LINK = /_SERVICE_(?:HOST|PORT(?:_\w+)?)$|_PORT(?:_\d+_(?:TCP|UDP)\w*)?$/

/**
 * The problems, one line each.
 * @param known the names of all settings
 */
export function unknownNames(env: object, known: readonly string[]): string[] {
  return Object.keys(env)
    .filter((name) => OURS.test(name) && !SERVICE_LINK.test(name) && !known.includes(name))
    .map((name) => `${name} is no setting: did you mean ${closest(name, known)}?`)
}
