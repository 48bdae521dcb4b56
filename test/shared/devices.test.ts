import t from 'tap'
import { searchForm, unsearchableCharacters, withoutUnsearchable } from '#shared/devices.ts'

t.test('recognizes and removes characters for which the search finds nothing', async (t) => {
  for (const character of [...`*<>"'%()&+/^|?[]\\`]) {
    t.strictSame(unsearchableCharacters(`a${character}b${character}`), [character])
    t.equal(withoutUnsearchable(`a${character}b${character}c`), 'abc')
  }
  t.strictSame(unsearchableCharacters('*a<b*>'), ['*', '<', '>'], 'lists each character once')
})

t.test('searches texts in lower case and without white space', async (t) => {
  t.equal(searchForm(' Level\t 1\n'), 'level1')
})
