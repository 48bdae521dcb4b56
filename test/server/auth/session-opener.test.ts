import t from 'tap'
import { createSealer } from '#server/auth/sealing.ts'
import { createSessionOpener, type OpenedSession } from '#server/auth/session-opener.ts'
import type { SessionData, Tokens } from '#server/auth/session-store.ts'

const SECRET = 'a-secret-of-more-than-thirty-two-characters'
const START = Date.UTC(2030, 0, 1)
const REMEMBERED_MS = 5 * 60_000
const REMEMBERED_MAX_BYTES = 32 * 1024 * 1024

const sealer = createSealer([SECRET])
const dataOf = (fullName: string): SessionData => ({
  user: {
    id: 'user-1',
    organizationId: '7',
    organizationName: null,
    fullName,
    email: null,
    userType: 'PARTNER',
    roleAssignments: [{ id: '1', role: 'partner_user', scope: '/organizations/7' }]
  },
  subject: 'subject-1',
  authoritySessionId: null
})
const tokensOf = (access: string): Tokens => ({
  access,
  expiresAt: START,
  renewAt: START,
  refresh: null,
  idToken: null
})
const stored = (id: string, name = 'Ann', access = 'access-1') => ({
  data: sealer.seal(JSON.stringify(dataOf(name)), id, 'data'),
  tokens: sealer.seal(JSON.stringify(tokensOf(access)), id, 'tokens')
})

/** An opener whose deciphering is counted. */
function counted() {
  const time = { now: START, deciphered: 0 }
  const counting = {
    ...sealer,
    open: (...parameters: Parameters<typeof sealer.open>) => {
      time.deciphered += 1
      return sealer.open(...parameters)
    }
  }
  return { ...createSessionOpener(counting, () => time.now), time }
}

t.test('what is stored under another id, or under none of ours, is not opened, however often', async (t) => {
  const { open } = counted()
  const ours = stored('id')
  t.ok(open('id', ours))
  const foreign = stored('id')
  const wrong: [name: string, id: string, held: typeof ours][] = [
    ['another id', 'id2', ours],
    ['no id', '', ours],
    ['data and tokens in each other’s place', 'id', { data: ours.tokens, tokens: ours.data }],
    ['the data of another session', 'id', { ...ours, data: stored('id2').data }],
    ['the tokens of another session', 'id', { ...ours, tokens: stored('id2').tokens }],
    ['nothing', 'id', { data: Buffer.alloc(0), tokens: Buffer.alloc(0) }],
    ['a changed byte', 'id', { ...foreign, data: Buffer.concat([foreign.data, Buffer.from([0])]) }]
  ]
  for (const [name, id, held] of wrong)
    for (const time of [1, 2]) t.equal(open(id, held), null, `${name}, ${time}`)
  t.ok(open('id', ours), 'and the right one still is')
})

t.test('the same bytes are deciphered once, others at once: nothing old is shown', async (t) => {
  const { open, time } = counted()
  const first = stored('id')
  for (let call = 0; call < 100; call += 1) t.match(open('id', first), { data: dataOf('Ann') })
  t.equal(time.deciphered, 2)
  // Copies, as every answer of the store is one.
  const copy = { data: Buffer.from(first.data), tokens: Buffer.from(first.tokens) }
  t.match(open('id', copy), { data: dataOf('Ann'), tokens: tokensOf('access-1') })
  t.equal(time.deciphered, 2)

  const renamed = { ...first, data: stored('id', 'Bob').data }
  t.match(open('id', renamed), { data: dataOf('Bob'), tokens: tokensOf('access-1') })
  const refreshed = { ...renamed, tokens: stored('id', 'Bob', 'access-2').tokens }
  t.match(open('id', refreshed), { data: dataOf('Bob'), tokens: tokensOf('access-2') })
  t.match(open('id', first), { data: dataOf('Ann'), tokens: tokensOf('access-1') }, 'the store decides')
})

t.test('it is remembered for five minutes, and not after its end', async (t) => {
  const { open, forget, time } = counted()
  const held = stored('id')
  open('id', held)
  time.now += REMEMBERED_MS
  open('id', held)
  t.equal(time.deciphered, 2, 'at the limit')
  time.now += 1
  open('id', held)
  t.equal(time.deciphered, 4, 'just past it')
  forget('id')
  open('id', held)
  t.equal(time.deciphered, 6)
})

t.test('nobody changes what others read', async (t) => {
  const { open } = counted()
  const { data, tokens } = open('id', stored('id')) as OpenedSession
  const changes: [name: string, change: () => unknown][] = [
    ['the name', () => Object.assign(data.user, { fullName: 'Eve' })],
    ['a role', () => Object.assign(data.user.roleAssignments[0] ?? {}, { scope: '/' })],
    ['the roles', () => (data.user.roleAssignments as unknown[]).push({})],
    ['the subject', () => Object.assign(data, { subject: 'eve' })],
    ['a token', () => Object.assign(tokens, { access: 'eve' })]
  ]
  for (const [name, change] of changes) t.throws(change, TypeError, name)
})

t.test('what is remembered has a bound in bytes: those longest not used give way', async (t) => {
  const { open, time } = counted()
  const long = 'x'.repeat(1024 * 1024)
  const held = Array.from({ length: 40 }, (_, index) => stored(`id-${index}`, 'Ann', `${index}${long}`))
  const openAll = () => {
    for (const [index, one] of held.entries()) open(`id-${index}`, one)
  }
  openAll()
  t.equal(time.deciphered, 80)
  const fit = Math.floor(REMEMBERED_MAX_BYTES / (long.length + 1000))
  for (let index = 39; index > 39 - fit; index -= 1) open(`id-${index}`, held[index] ?? stored(''))
  t.equal(time.deciphered, 80, `the latest ${fit} are there`)
  open('id-0', held[0] ?? stored(''))
  t.equal(time.deciphered, 82, 'the first is not')
})
