import '../../../../support/client/dom.ts'
import t from 'tap'
import { percentText } from '#client/features/sites/usage/api.ts'

const cases: [percent: number, text: string][] = [
  [0, '0 %'],
  [2.3, '2.3 %'],
  [20, '20 %'],
  [79.99, '79.9 %'],
  [80, '80 %'],
  [99.96, '99.9 %'],
  [100, '100 %'],
  [100.01, '100.1 %'],
  [1234.5, '1,234.5 %']
]
for (const [percent, text] of cases)
  t.test(`${percent} per cent shows as ${text}`, async (t) => t.equal(percentText(percent), text))
