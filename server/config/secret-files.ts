// Prepares the folder of secrets that docker-compose.yml mounts: creates missing secrets, reports unreadable ones, and rotates
// the session secret. Runs as root in its own container; the gateway itself writes no file.
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
  path: string
  /** Its path on the operator's machine, for messages. */
  shownAs: string
  /** Whether the sandbox is the identity provider: its client secret is public. */
  sandbox: boolean
  /** Adds a new session secret before the old ones. */
  rotate: boolean
  /** Maximum length of a session, in seconds: secrets that may still sign one are kept. */
  sessionSeconds: number
  /** Milliseconds since 1970. */
  nowMs: number
}

/** The user of the gateway's and Redis's images. */
const GATEWAY_USER = 1000
const SANDBOX_CLIENT_SECRET = 'sandbox-portal-client-secret-0123456789'
const READABLE = 0o444

/** Returns a message for each problem that the operator must fix. Throws if the folder cannot be written. */
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
      ? [`${shownAs} is not accessible to the users of the containers: chmod 755 ${shownAs}`]
      : []
  const files = readdirSync(path)
    .filter((name) => !isReadable(join(path, name), name))
    .map((name) => `${shownAs}/${name} cannot be read in the containers: chmod 644 ${shownAs}/${name}`)
  return [...folder, ...files]
}

/** Adds a secret and drops those replaced before `since`, because all sessions signed with them have expired. */
function rotated(secrets: string, nowMs: number, since: number): string {
  const old = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  const kept = old.filter((_secret, index) => index === 0 || madeAt(old[index - 1] ?? '') > since)
  return [sessionSecret(nowMs), ...kept].join(',')
}

const newSecret = () => randomBytes(36).toString('base64url')
/** Starts with its creation time: older secrets are needed until the sessions before it have expired. */
const sessionSecret = (nowMs: number) => `${nowMs}.${newSecret()}`

/** Milliseconds since 1970; infinite for a secret that an operator created. */
function madeAt(secret: string): number {
  const [, ms] = /^(\d{13})\./.exec(secret) ?? []
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms)
}

/** Whether the containers can read the file. Redis also reads its password, so the gateway's user alone is not enough. */
function isReadable(path: string, name: string): boolean {
  const { mode, uid } = statSync(path)
  const owned = uid === GATEWAY_USER && name !== 'redis_password'
  return (mode & 0o004) !== 0 || (owned && (mode & 0o400) !== 0)
}
