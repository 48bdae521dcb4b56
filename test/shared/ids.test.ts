// Which texts can name an object of the upstreams.
import t from 'tap'
import { ID_MAX_CHARACTERS, isId } from '#shared/ids.ts'

t.test('what could be read as a path, a query or a list names nothing', async (t) => {
  for (const text of [
    '',
    '.',
    '..',
    '...',
    'a/b',
    'a\\b',
    'a?b',
    'a#b',
    'a%2fb',
    'a;b',
    'a,b',
    'a b',
    'a\nb',
    'a\0b',
    '"a"',
    '<a>'
  ])
    t.notOk(isId(text), JSON.stringify(text))
})

t.test('the ids that the upstreams give are ids', async (t) => {
  for (const text of ['9', 'c-1001', '6f1c2d8e-0b7a-4c59-9f3e-2a4d5b6c7e80', 'u.17', 'Zm9v=', 'é'])
    t.ok(isId(text), text)
})

t.test('an id has 128 characters at the most', async (t) => {
  t.ok(isId('x'.repeat(ID_MAX_CHARACTERS)))
  t.notOk(isId('x'.repeat(ID_MAX_CHARACTERS + 1)))
})
