// The folder of secrets that docker-compose.yml mounts: makes those that are missing, tells which the gateway could not
// read, and rotates the session secret. Runs as root in a container of its own; the gateway itself writes no file.
import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface SecretFolder {
  /** Where it is. */
  path: string
  /** How its operator calls it. */
  shownAs: string
  /** The sandbox stands in for the identity provider: its client secret is known to everybody. */
  sandbox: boolean
  /** Puts a new session secret before the old ones. */
  rotate: boolean
}

/** As the images of the gateway and of Redis run. */
const GATEWAY_USER = 1000
const SANDBOX_CLIENT_SECRET = 'sandbox-portal-client-secret-0123456789'
/** The newest, and those before it that cookies may still be signed with. */
const SESSION_SECRETS_KEPT = 3
const READABLE = 0o444

/** Prepares the folder. Returns what its operator must mend, a line each; throws when it cannot be written. */
export function prepareSecrets({ path, shownAs, sandbox, rotate }: SecretFolder): string[] {
  const write = (name: string, text: string) => {
    writeFileSync(join(path, name), text)
    chmodSync(join(path, name), READABLE)
  }
  const make = (name: string, text: string) => existsSync(join(path, name)) || write(name, text)
  make('session_secrets', newSecret())
  make('redis_password', newSecret())
  if (sandbox) make('oidc_client_secret', SANDBOX_CLIENT_SECRET)
  if (rotate) write('session_secrets', rotated(readFileSync(join(path, 'session_secrets'), 'utf8')))

  const folder =
    (statSync(path).mode & 0o001) === 0
      ? [`${shownAs} cannot be entered by the users of the containers: chmod 755 ${shownAs}`]
      : []
  const files = readdirSync(path)
    .filter((name) => !isReadable(join(path, name), name))
    .map((name) => `${shownAs}/${name} cannot be read in the containers: chmod 644 ${shownAs}/${name}`)
  return [...folder, ...files]
}

function rotated(secrets: string): string {
  const old = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  return [newSecret(), ...old].slice(0, SESSION_SECRETS_KEPT).join(',')
}

const newSecret = () => randomBytes(36).toString('base64url')

/** A file may be the gateway's own, but for the password that Redis reads as well. */
function isReadable(path: string, name: string): boolean {
  const { mode, uid } = statSync(path)
  const owned = uid === GATEWAY_USER && name !== 'redis_password'
  return (mode & 0o004) !== 0 || (owned && (mode & 0o400) !== 0)
}
