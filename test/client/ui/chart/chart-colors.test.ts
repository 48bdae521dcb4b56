// Ten lines are told apart by their colours, by people who see no green or no red as well.
import {
  type Color,
  converter,
  differenceCiede2000,
  filterDeficiencyDeuter,
  filterDeficiencyProt,
  parse,
  wcagContrast
} from 'culori'
import t from 'tap'
import { CHART_COLORS, cssColor } from '#client/ui/chart/chart-colors.ts'

const EYES: Record<string, (color: Color) => Color> = {
  'all colours': (color) => color,
  'no green (deuteranopia)': (color) => filterDeficiencyDeuter(1)(color) as Color,
  'no red (protanopia)': (color) => filterDeficiencyProt(1)(color) as Color
}
/** Of two colours that are told apart at a glance, side by side. */
const DIFFERENCE_MIN = 11
const CONTRAST_MIN = 4.5
const GROUNDS = { light: '#ffffff', dark: '#161b24' } as const
const difference = differenceCiede2000()
const rgb = converter('rgb')

for (const theme of ['light', 'dark'] as const) {
  for (const [name, eye] of Object.entries(EYES))
    t.test(`${theme}: each two of the ten differ for eyes that see ${name}`, async (t) => {
      const seen = CHART_COLORS.map((color) => eye(rgb(parse(color[theme]) as Color)))
      const close = seen.flatMap((one, a) =>
        seen.slice(a + 1).flatMap((other, b) => {
          const apart = difference(one, other)
          return apart < DIFFERENCE_MIN ? [`${a + 1} and ${a + b + 2}: ${apart.toFixed(1)}`] : []
        })
      )
      t.same(close, [])
      t.equal(seen.length, 10)
    })

  t.test(`${theme}: each is read on its ground, as the number at the end of a line too`, async (t) => {
    const faint = CHART_COLORS.filter((color) => wcagContrast(color[theme], GROUNDS[theme]) < CONTRAST_MIN)
    t.same(faint, [])
  })
}

t.test('style sheets get both themes', async (t) => {
  t.match(cssColor(0), /^light-dark\(#[0-9a-f]{6}, #[0-9a-f]{6}\)$/)
})
