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
  /** The path of the folder on the operator's machine, for messages. */
  shownAs: string
  /** Whether the sandbox is the identity provider: the sandbox's client secret is public. */
  sandbox: boolean
  /** Adds a new session secret before the old ones. */
  rotate: boolean
  /** Maximum duration of a session, in seconds. Secrets are kept until all sessions signed with them have expired. */
  sessionSeconds: number
  /** Milliseconds since 1970. */
  nowMs: number
}

/** The id of the user in the gateway's and Redis's images. */
const GATEWAY_USER = 1000
const SANDBOX_CLIENT_SECRET = 'sandbox-portal-client-secret-0123456789'
const READABLE = 0o444

/** Returns a message for each problem that the operator must fix. Throws if the folder cannot be written. */
export function prepareSecrets(options: SecretFolder): string[] {
  const { path, shownAs, sandbox, rotate, nowMs, sessionSeconds } = options
  const write = (name: string, text: string) => {
    const newPath = join(path, `.${name}.new`)
    try {
      writeFileSync(newPath, text)
      chmodSync(newPath, READABLE)
      renameSync(newPath, join(path, name))
    } catch (error) {
      rmSync(newPath, { force: true })
      throw error
    }
  }
  const createIfMissing = (name: string, text: string) => existsSync(join(path, name)) || write(name, text)
  createIfMissing('session_secrets', sessionSecret(nowMs))
  createIfMissing('redis_password', newSecret())
  if (sandbox) createIfMissing('oidc_client_secret', SANDBOX_CLIENT_SECRET)
  if (rotate) {
    const oldSecrets = readFileSync(join(path, 'session_secrets'), 'utf8')
    write('session_secrets', rotated(oldSecrets, nowMs, nowMs - sessionSeconds * 1000))
  }

  const folderProblems =
    (statSync(path).mode & 0o001) === 0
      ? [`${shownAs} is not accessible to the users of the containers: chmod 755 ${shownAs}`]
      : []
  const fileProblems = readdirSync(path)
    .filter((name) => !isReadable(join(path, name), name))
    .map((name) => `${shownAs}/${name} cannot be read in the containers: chmod 644 ${shownAs}/${name}`)
  return [...folderProblems, ...fileProblems]
}

/** Adds a secret and drops those replaced before `since`, because all sessions signed with them have expired. */
function rotated(secrets: string, nowMs: number, since: number): string {
  const list = secrets
    .split(',')
    .map((secret) => secret.trim())
    .filter((secret) => secret !== '')
  const keptList = list.filter((_secret, index) => index === 0 || createdAt(list[index - 1] ?? '') > since)
  return [sessionSecret(nowMs), ...keptList].join(',')
}

const newSecret = () => randomBytes(36).toString('base64url')
/** A secret that starts with its creation time. From then on, older secrets sign no new sessions. */
const sessionSecret = (nowMs: number) => `${nowMs}.${newSecret()}`

/** The creation time in milliseconds since 1970; infinite for a secret that an operator created. */
function createdAt(secret: string): number {
  const [, ms] = /^(\d{13})\./.exec(secret) ?? []
  return ms === undefined ? Number.POSITIVE_INFINITY : Number(ms)
}

/** Whether the containers can read the file. Redis also reads its password, so the gateway's user alone is not enough. */
function isReadable(path: string, name: string): boolean {
  const { mode, uid } = statSync(path)
  const isOwned = uid === GATEWAY_USER && name !== 'redis_password'
  return (mode & 0o004) !== 0 || (isOwned && (mode & 0o400) !== 0)
}
