// The folder of secrets that docker-compose.yml mounts: makes missing ones, reports those that the gateway could not
// read, and rotates the session secret. Runs as root in a container of its own; the gateway itself writes no file.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { join } from 'node:path'

export interface SecretFolder {
  /** Where it is. */
  path: string
  /** How its operator calls it. */
  shownAs: string
  /** The sandbox replaces the identity provider: its client secret is public. */
  sandbox: boolean
  /** Puts a new session secret before the old ones. */
  rotate: boolean
  /** How long a session lasts at most, in seconds: secrets that one may still be signed with are kept. */
  sessionSeconds: number
  /** Milliseconds since 1970. */
  nowMs: number
}

/** As the images of the gateway and of Redis run. */
const GATEWAY_USER = 1000
const SANDBOX_CLIENT_SECRET = 'sandbox-portal-client-secret-0123456789'
const READABLE = 0o444

/** Prepares the folder. Returns what its operator must mend, a line each; throws when it cannot be written. */
export function prepareSecrets(folderOf: SecretFolder): string[] {
  const { path, shownAs, sandbox, rotate, nowMs, sessionSeconds } = folderOf
  const write = (name: string, text: string) => {
    const beside = join(path, `.${name}.new`)
    try {
      writeFileSync(beside, text)
      chmodSync(beside, READABLE)
      renameSync(beside, join(path, name))
    } catch (error) {
      rmSync(beside, { force: true })
      throw error
    }
  }
  const make = (name: string, text: string) => existsSync(join(path, name)) || write(name, text)
  make('session_secrets', sessionSecret(nowMs))
  make('redis_password', newSecret())
  if (sandbox) make('oidc_client_secret', SANDBOX_CLIENT_SECRET)
  if (rotate) {
    const old = readFileSync(join(path, 'session_secrets'), 'utf8')
    write('session_secrets', rotated(old, nowMs, nowMs - sessionSeconds * 1000))
  }

  const folder =
    (statSync(path).mode & 0o001) === 0
      ? [`${shownAs} cannot be entered by the users of the containers: chmod 755 ${shownAs}`]
      : []
  const files = readdirSync(path)
    .filter((name) => !isReadable(join(path, name), name))
    .map((name) => `${shownAs}/${name} cannot be read in the containers: chmod 644 ${shownAs}/${name}`)
  return [...folder, ...files]
}

/** Without those that were followed by another one before `since`: no session is signed with them any more. */
function rotated(secrets: string, nowMs: number, since: number): string {
  const old = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  const kept = old.filter((_secret, index) => index === 0 || madeAt(old[index - 1] ?? '') > since)
  return [sessionSecret(nowMs), ...kept].join(',')
}

const newSecret = () => randomBytes(36).toString('base64url')
/** Begins with its creation time, from which follows how long older ones are needed. */
const sessionSecret = (nowMs: number) => `${nowMs}.${newSecret()}`

/** Milliseconds since 1970; of one that an operator made nobody knows. */
function madeAt(secret: string): number {
  const [, ms] = /^(\d{13})\./.exec(secret) ?? []
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms)
}

/** A file may be the gateway's own, but for the password that Redis reads as well. */
function isReadable(path: string, name: string): boolean {
  const { mode, uid } = statSync(path)
  const owned = uid === GATEWAY_USER && name !== 'redis_password'
  return (mode & 0o004) !== 0 || (owned && (mode & 0o400) !== 0)
}
