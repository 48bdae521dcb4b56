import t from 'tap'
import { excerpt } from '#shared/excerpt.ts'

t.test('a text is quoted up to its limit and no further', async (t) => {
  t.equal(excerpt(''), '')
  t.equal(excerpt('/organizations/1'), '/organizations/1')
  t.equal(excerpt('x'.repeat(100)), 'x'.repeat(100))
  t.equal(excerpt('x'.repeat(101)), `${'x'.repeat(100)}…`)
  t.equal(excerpt('x'.repeat(1_000_000), 3), 'xxx…')
})

t.test('what cannot be seen is not quoted: it could feign other text or other lines', async (t) => {
  const cases: [text: string, quoted: string][] = [
    ['a\r\n{"level":60}', 'a {"level":60}'],
    ['a\u0000\u001b[31mb', 'a [31mb'],
    ['a\u2028b\u2029c', 'a b c'],
    ['user\u202egpj.exe', 'user gpj.exe'],
    ['a\u200bb\ufeffc', 'a b c']
  ]
  for (const [text, quoted] of cases) t.equal(excerpt(text), quoted, encodeURI(text))
})

t.test('a character is not cut in two', async (t) => {
  t.ok(excerpt('😀'.repeat(10), 3).isWellFormed())
  t.equal(excerpt('Ärzte 😀', 8), 'Ärzte 😀')
})
