import t from 'tap'
import { createCircuit } from '#server/auth/authority/circuit.ts'

t.test('while the authority hangs one call a second may ask it', async (t) => {
  let now = 0
  const circuit = createCircuit(() => now)
  const tries = () => [circuit.mayTry(), circuit.mayTry(), circuit.mayTry()]
  t.strictSame(tries(), [true, true, true])
  circuit.hung()
  t.strictSame(tries(), [false, false, false])
  now = 999
  circuit.hung()
  t.strictSame(tries(), [false, false, false])
  now = 1_000
  t.strictSame(tries(), [true, false, false], 'the first of them')
  now = 2_000
  t.strictSame(tries(), [true, false, false], 'as long as it goes on')
  circuit.answered()
  t.strictSame(tries(), [true, true, true])
})
