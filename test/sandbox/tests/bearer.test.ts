import { generateKeyPairSync } from 'node:crypto'
import { mock } from 'node:test'
import { SignJWT } from 'jose'
import t from 'tap'
import { startSandbox } from '../app.ts'
import { signIn } from '../sign-in-flow.ts'
import { callWith } from './call-as.ts'

const LIFE_SECONDS = 300
const sandbox = await startSandbox({ clock: () => 0, accessTokenSeconds: LIFE_SECONDS })
t.teardown(sandbox.stop)

t.test('calls without a valid bearer token are answered 401 with the error body', async (t) => {
  const { id_token } = await signIn(sandbox, 'partner.admin')
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const forged = await new SignJWT({ sub: 'u-global-admin' })
    .setProtectedHeader({ alg: 'RS256', typ: 'at+jwt', kid: 'sandbox' })
    .setIssuer(sandbox.issuer)
    .setAudience(sandbox.audience)
    .setExpirationTime('1h')
    .sign(privateKey)
  for (const [name, authorization] of [
    ['none', undefined],
    ['another scheme', 'Basic cG9ydGFs'],
    ['an empty one', 'Bearer '],
    ['garbage', 'Bearer garbage'],
    ['an id token', `Bearer ${id_token}`],
    ['one signed by somebody else', `Bearer ${forged}`]
  ] as const) {
    const answer = await fetch(`${sandbox.url}/api/v2/management/myUser`, {
      headers: authorization === undefined ? {} : { authorization }
    })
    t.equal(answer.status, 401, name)
    t.match(answer.headers.get('www-authenticate'), /Bearer/)
    t.match(await answer.json(), {
      status: 401,
      title: 'Unauthorized',
      errors: [{ code: /./ }],
      correlationId: /./
    })
  }
})

t.test('an access token is accepted until it expires, in real time', async (t) => {
  // The time of the process, which the clock of the sandbox is not, is moved instead of waited for.
  mock.timers.enable({ apis: ['Date'], now: Math.floor(Date.now() / 1000) * 1000 })
  t.teardown(() => mock.timers.reset())
  const begun = Date.now()
  const call = callWith(sandbox, (await signIn(sandbox, 'partner.admin')).access_token)
  mock.timers.setTime(begun + LIFE_SECONDS * 1000 - 1)
  t.equal((await call('GET', '/myUser')).status, 200)
  mock.timers.setTime(begun + LIFE_SECONDS * 1000)
  t.equal((await call('GET', '/myUser')).status, 401)
})

t.test('issued access tokens can be refused at once, later ones are accepted', async (t) => {
  const before = callWith(sandbox, (await signIn(sandbox, 'partner.admin')).access_token)
  sandbox.refuseIssuedAccessTokens()
  t.equal((await before('GET', '/myUser')).status, 401)
  const after = callWith(sandbox, (await signIn(sandbox, 'partner.admin')).access_token)
  t.equal((await after('GET', '/myUser')).status, 200)
})

t.test('a disabled or removed user is refused', async (t) => {
  const call = callWith(sandbox, (await signIn(sandbox, 'nds.operator')).access_token)
  const user = sandbox.state.users.get('u-nds-operator')
  if (user) user.status = 'DISABLED'
  t.equal((await call('GET', '/myUser')).status, 401)
  sandbox.state.users.delete('u-nds-operator')
  t.equal((await call('GET', '/myUser')).status, 401)
})
