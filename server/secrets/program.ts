// `npm start -- --secrets FOLDER [--rotate] [--redis-secrets FOLDER]` prepares folders of secrets and prints the result.
import type { Arguments } from '../arguments.ts'
import { SETTINGS } from '../config/settings.ts'
import { CONTAINER_USERS, prepareSecrets } from './secret-files.ts'

const SANDBOX_ISSUER = 'http://localhost:4000/oidc'

/** Returns the exit code. */
export function runSecrets(
  { secrets: path = '', redisSecrets: redisPath, rotate }: Arguments,
  { env, stdout, stderr }: Pick<NodeJS.Process, 'env' | 'stdout' | 'stderr'>
): number {
  const shownAs = env.SECRETS_FOLDER ?? path
  try {
    const problems = prepareSecrets({
      path,
      shownAs,
      sandbox: env.OIDC_ISSUER === SANDBOX_ISSUER,
      rotate,
      sessionSeconds: Number(env.SESSION_ABSOLUTE_SECONDS || SETTINGS.SESSION_ABSOLUTE_SECONDS.fallback),
      nowMs: Date.now(),
      containers: redisPath === undefined ? null : { redisPath, ...CONTAINER_USERS }
    })
    const successText = rotate ? 'Added a session secret. Restart the replicas.' : 'The secrets are ready.'
    stdout.write(problems.length > 0 ? `${problems.join('\n')}\n` : `${successText}\n`)
    return problems.length > 0 ? 1 : 0
  } catch (error) {
    stderr.write(`Cannot write the secrets to ${shownAs}: ${(error as Error).message}\n`)
    return 1
  }
}
