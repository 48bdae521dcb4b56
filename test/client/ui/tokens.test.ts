// axe does not see the contrast of borders, icons and focus rings: computed here from the token file, for both themes.
import { readFileSync } from 'node:fs'
import { wcagContrast as contrast } from 'culori'
import t from 'tap'
import { CHART_COLORS, cssColor } from '#client/ui/chart/chart-colors.ts'

const css = readFileSync(new URL('../../../client/ui/tokens.css', import.meta.url), 'utf8')

function tokensOf(selector: string): Record<string, string> {
  const block = css.slice(css.indexOf(`${selector} {`)).split('}')[0] ?? ''
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+):\s*(#[0-9a-f]{6});/g)].map((match) => match.slice(1))
  )
}

const themes = { light: tokensOf(':root'), dark: tokensOf(':root[data-theme="dark"]') }

const TEXT = 4.5
const NOT_TEXT = 3
const grounds = ['page', 'surface', 'sunken']
const onGrounds = (names: string[], least: number) =>
  names.flatMap((name) => grounds.map((ground) => [name, ground, least] as const))

const pairs = [
  ...onGrounds(['text', 'muted', 'accent', 'accent-strong', 'danger', 'warn', 'ok', 'info'], TEXT),
  ...onGrounds(['control'], NOT_TEXT),
  ['text', 'tint', TEXT],
  ['accent', 'tint', TEXT],
  ['accent-strong', 'tint', TEXT],
  ['on-accent', 'accent', TEXT],
  ['on-accent', 'accent-strong', TEXT],
  ['page', 'text', TEXT],
  ['surface', 'danger', TEXT],
  ...['danger', 'warn', 'ok', 'info'].map((name) => [name, `${name}-back`, TEXT] as const)
] as const

for (const [theme, tokens] of Object.entries(themes)) {
  for (const [name, ground, least] of pairs) {
    t.test(`${theme}: ${name} on ${ground} reaches ${least}`, async (t) => {
      const ratio = contrast(tokens[name] ?? '', tokens[ground] ?? '')
      t.ok(ratio >= least, `${ratio.toFixed(2)}`)
    })
  }
}

t.test("Pico's own weak places take the portal's colours", async (t) => {
  for (const [variable, token] of Object.entries({
    'form-element-border-color': 'control',
    'primary-focus': 'accent',
    'switch-background-color': 'control',
    'form-element-invalid-border-color': 'danger'
  })) {
    t.match(css, `--pico-${variable}: var(--${token});`)
  }
})

CHART_COLORS.forEach((color, index) => {
  t.test(
    `line ${index + 1} of charts is seen on both backgrounds, and its sample has the same colour`,
    async (t) => {
      for (const theme of ['light', 'dark'] as const)
        for (const ground of ['surface', 'page'])
          t.ok(contrast(color[theme], themes[theme][ground] ?? '') >= NOT_TEXT, `${theme} on ${ground}`)
      t.equal(cssColor(index), `light-dark(${color.light}, ${color.dark})`)
    }
  )
})

t.test('lines of charts are told apart by colour and dash', async (t) => {
  for (const theme of ['light', 'dark'] as const)
    t.equal(new Set(CHART_COLORS.map((color) => color[theme])).size, CHART_COLORS.length)
  t.equal(new Set(CHART_COLORS.map(({ dash }) => dash.join())).size, 3)
})
