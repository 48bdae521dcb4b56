import type { Sandbox } from '#test/sandbox/app.ts'
import { INTERNAL_SERVICE, PASSWORD } from '#test/sandbox/sign-ins.ts'

export async function serviceToken({ issuer }: Sandbox, scope: string): Promise<string> {
  const credentials = { client_id: INTERNAL_SERVICE, client_secret: PASSWORD }
  const body = new URLSearchParams({ grant_type: 'client_credentials', ...credentials, scope })
  const answer = await fetch(`${issuer}/token`, { method: 'POST', body })
  return ((await answer.json()) as { access_token: string }).access_token
}
