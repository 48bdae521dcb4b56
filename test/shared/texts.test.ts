// Excerpts, ids and messages.
import t from 'tap'
import { excerpt } from '#shared/excerpt.ts'
import { messageForStatus } from '#shared/messages.ts'
import { ID_MAX_CHARACTERS, ID_PATTERN, isId } from '#shared/scopes.ts'

t.test('shortens a text at its limit', async (t) => {
  t.equal(excerpt('/organizations/1'), '/organizations/1')
  t.equal(excerpt('x'.repeat(100)), 'x'.repeat(100))
  t.equal(excerpt('x'.repeat(101)), `${'x'.repeat(100)}…`)
  t.equal(excerpt('x'.repeat(1_000_000), 3), 'xxx…')
})

t.test('replaces characters that could forge text or lines', async (t) => {
  const cases: [text: string, quoted: string][] = [
    ['a\r\n{"level":60}', 'a {"level":60}'],
    ['a\u0000\u001b[31mb', 'a [31mb'],
    ['a\u2028b\u2029c', 'a b c'],
    ['user\u202egpj.exe', 'user gpj.exe'],
    ['a\u200bb\ufeffc', 'a b c']
  ]
  for (const [text, expected] of cases) t.equal(excerpt(text), expected, encodeURI(text))
})

t.test('does not split a character', async (t) => {
  t.ok(excerpt('😀'.repeat(10), 3).isWellFormed())
  t.equal(excerpt('Ärzte 😀', 8), 'Ärzte 😀')
})

t.test('refuses ids that could be read as a path, a query or a list', async (t) => {
  const inside = [...'/\\?#%;, \n\0"<>⁄∕／＼'].map((character) => `a${character}b`)
  for (const text of ['', '.', '..', '...', '．．', ...inside]) t.notOk(isId(text), JSON.stringify(text))
})

t.test('refuses exactly the characters that NFKC turns into a refused character or a dot', async (t) => {
  const withFlag = new RegExp(ID_PATTERN, 'u')
  const wrong: string[] = []
  for (let code = 0; code <= 0x10ffff; code += 1) {
    // Surrogates are no characters.
    if (code >= 0xd800 && code < 0xe000) continue
    const text = `a${String.fromCodePoint(code)}`
    const normalized = text.normalize('NFKC')
    const expected = normalized === text ? isId(text) : isId(normalized) && !normalized.includes('.')
    if (isId(text) !== expected || withFlag.test(text) !== expected) wrong.push(code.toString(16))
  }
  t.strictSame(wrong, [])
  for (const text of ['‥', '℅', '％', '🄀']) t.notOk(isId(text), text)
})

t.test('accepts the ids of upstreams', async (t) => {
  for (const text of ['9', 'c-1001', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80', 'u.17', 'Zm9v=', 'é'])
    t.ok(isId(text), text)
})

t.test('refuses ids above 128 characters', async (t) => {
  t.ok(isId('x'.repeat(ID_MAX_CHARACTERS)))
  t.notOk(isId('x'.repeat(ID_MAX_CHARACTERS + 1)))
})

t.test('maps each failed status to its title', async (t) => {
  const statuses = [400, 401, 403, 404, 408, 409, 410, 498, 499, 500, 502, 503, 504, 505]
  const titles = statuses.map((status) => `${status} ${messageForStatus(status).title}`)
  const otherTitle = 'Something went wrong'
  const network = 'Network Connectivity Failed'
  const expected = { 409: 'Data Conflict found', 499: network, 503: network, 504: network }
  t.strictSame(
    titles,
    statuses.map((status) => `${status} ${expected[status as keyof typeof expected] ?? otherTitle}`)
  )
})
