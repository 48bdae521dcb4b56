// Which words of a text are searched as the name of a device.
import t from 'tap'
import { NAME_WORDS_MAX, namedFirst } from '#server/portal/search/find-points.ts'

/** The names that are searched for a text, if no device has any of them. */
async function namesSearched(q: string): Promise<string[]> {
  const names: string[] = []
  await namedFirst(
    q,
    async (name) => {
      names.push(name)
      return []
    },
    async () => []
  )
  return names
}

t.test('searches no device for a single word', async (t) => {
  t.strictSame(await namesSearched(' supply '), [])
})

t.test('searches the longest name first and leaves a word for the point', async (t) => {
  t.strictSame(await namesSearched('roof AHU-1 supply'), ['roof AHU-1', 'roof'])
})

t.test('limits the number of device searches, whatever the number of words', async (t) => {
  const words = Array.from({ length: 100 }, (_, number) => `w${number}`)
  const names = await namesSearched(words.join(' '))
  t.equal(names.length, NAME_WORDS_MAX)
  t.equal(names[0], words.slice(0, NAME_WORDS_MAX).join(' '))
})
