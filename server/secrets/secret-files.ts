// Prepares the folders of secrets that docker-compose.yml mounts: creates missing secrets, reports unreadable ones, and rotates
// the session secret. Runs as root in its own container; the gateway itself writes no file.
import { randomBytes } from 'node:crypto'
import {
  chmodSync,
  chownSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

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
  /** Null if the gateway runs without containers, as the user who prepares the folder. */
  containers: Containers | null
}

interface Containers {
  /** The folder of Redis, which contains only a copy of its password, so that the container of Redis sees no other secret. */
  redisPath: string
  /** The only users who can read the files. */
  gatewayUser: number
  redisUser: number
}

/** Ids of the users in the images of the gateway and of Redis. */
export const CONTAINER_USERS = { gatewayUser: 1000, redisUser: 999 }

const SANDBOX_CLIENT_SECRET = 'sandbox-portal-client-secret-0123456789'
const OWNER_ONLY = 0o400

/** Returns a message for each problem that the operator must fix. Throws if a folder cannot be written. */
export function prepareSecrets(options: SecretFolder): string[] {
  const { path, shownAs, sandbox, rotate, nowMs, sessionSeconds, containers } = options
  const write = (name: string, text: string) => writeSecret(join(path, name), text, containers?.gatewayUser)
  const createIfMissing = (name: string, text: string) => existsSync(join(path, name)) || write(name, text)
  createIfMissing('session_secrets', sessionSecret(nowMs))
  createIfMissing('redis_password', newSecret())
  if (sandbox) createIfMissing('oidc_client_secret', SANDBOX_CLIENT_SECRET)
  if (rotate) {
    const oldSecrets = readFileSync(join(path, 'session_secrets'), 'utf8')
    write('session_secrets', rotated(oldSecrets, nowMs, nowMs - sessionSeconds * 1000))
  }
  if (containers === null) return []
  const { redisPath, gatewayUser, redisUser } = containers
  const password = readFileSync(join(path, 'redis_password'), 'utf8')
  writeSecret(join(redisPath, 'redis_password'), password, redisUser)

  const folderProblems =
    (statSync(path).mode & 0o001) === 0
      ? [`${shownAs} is not accessible to the users of the containers: chmod 711 ${shownAs}`]
      : []
  const fileProblems = readdirSync(path)
    .filter((name) => !isReadable(join(path, name), gatewayUser))
    .map((name) => {
      const file = `${shownAs}/${name}`
      return `${file} cannot be read by the gateway: chown ${gatewayUser} ${file} && chmod 400 ${file}`
    })
  return [...folderProblems, ...fileProblems]
}

/** Replaces the file at once, so that no reader finds half of a secret. */
function writeSecret(path: string, text: string, owner?: number): void {
  const newPath = join(dirname(path), `.${basename(path)}.new`)
  try {
    writeFileSync(newPath, text, { mode: OWNER_ONLY })
    chmodSync(newPath, OWNER_ONLY)
    if (owner !== undefined) chownSync(newPath, owner, owner)
    renameSync(newPath, path)
  } catch (error) {
    rmSync(newPath, { force: true })
    throw error
  }
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

/** Whether the user can read the file as its owner or as anybody. */
function isReadable(path: string, user: number): boolean {
  const { mode, uid } = statSync(path)
  return (mode & 0o004) !== 0 || (uid === user && (mode & 0o400) !== 0)
}
