import t from 'tap'
import { readBack } from '#client/lib/read-back.ts'

t.test('reads back until the device has accepted the value, also after a failed read', async (t) => {
  const waits: number[] = []
  const wait = async (time: number) => void waits.push(time)
  const answers = [new Error('no'), 20, 21]
  const read = async () => {
    const answer = answers.shift()
    if (answer instanceof Error) throw answer
    return answer as number
  }
  t.same(await readBack(read, (value) => value === 21, wait), { taken: true, last: 21 })
  t.same(waits, [2000, 3000, 5000])
  answers.push(20, 20, 20, 20)
  t.same(await readBack(read, (value) => value === 21, wait), { taken: false, last: 20 })
  t.equal(answers.length, 1, 'stops when the value is accepted')
  answers.unshift(new Error('no'), new Error('no'), new Error('no'))
  t.same(await readBack(read, () => true, wait), { taken: false, last: null })
})
