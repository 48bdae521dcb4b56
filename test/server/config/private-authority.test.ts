// A provider, an API and a Redis whose certificates come from an authority of the operator's own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { fileURLToPath } from 'node:url'
import t from 'tap'
import { createPrivateAuthority } from '../../support/private-authority.ts'

const MAIN = fileURLToPath(new URL('../../../server/main.ts', import.meta.url))

t.test('EXTRA_CA_CERTS_FILE is all that it needs', async (t) => {
  const authority = createPrivateAuthority(t)
  const answer: RequestListener = (request, response) => {
    const [granting, issuer] = [request.url === '/token', `https://${request.headers.host}`]
    const endpoints = { authorization_endpoint: `${issuer}/sign-in`, token_endpoint: `${issuer}/token` }
    const document = { issuer, jwks_uri: `${issuer}/keys`, ...endpoints }
    response.writeHead(granting ? 400 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(granting ? { error: 'invalid_grant' } : document))
  }
  const [address, redis] = await Promise.all([authority.serve(answer), authority.redis()])
  const settings = {
    NODE_ENV: 'production',
    OIDC_ISSUER: address,
    OIDC_CLIENT_ID: 'portal',
    OIDC_CLIENT_SECRET: 'a secret',
    UPSTREAM_URL: address,
    REDIS_URL: redis,
    SESSION_SECRETS: 'a-secret-of-at-least-thirty-two-characters'
  }
  const checked = async (more: Record<string, string>) => {
    const child = spawn(process.execPath, [MAIN, '--check'], { env: { ...settings, ...more } })
    let said = ''
    child.stdout.on('data', (chunk) => {
      said += chunk
    })
    const [code] = await once(child, 'close')
    return { code, said }
  }
  const [without, trusted] = await Promise.all([
    checked({}),
    checked({ EXTRA_CA_CERTS_FILE: authority.path })
  ])
  t.equal(without.code, 1)
  const told = without.said.match(/unknown certificate authority\).*EXTRA_CA_CERTS_FILE/g) ?? []
  t.equal(told.length, 3, without.said)
  t.equal(trusted.code, 0, trusted.said)
})
