import { readFileSync } from 'node:fs'
import t from 'tap'

const CSS = readFileSync(new URL('../../../client/ui/tokens.css', import.meta.url), 'utf8')
const THEMES = ['light', 'dark'] as const

function tokenOf(name: string, theme: (typeof THEMES)[number]): string {
  const [, light, dark] = CSS.match(new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`)) ?? []
  const color = theme === 'light' ? light : dark
  if (!color) throw new Error(`tokens.css has no --${name}`)
  return color
}

/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

for (const theme of THEMES) {
  t.test(
    `a plain badge stands out from its card in the ${theme} theme, and its text from the badge`,
    async (t) => {
      const badge = tokenOf('sunken', theme)
      const fromCard = contrast(badge, tokenOf('surface', theme))
      t.ok(fromCard >= 1.15, `${fromCard.toFixed(2)} from the card`)
      const text = contrast(tokenOf('muted', theme), badge)
      t.ok(text >= 4.5, `${text.toFixed(2)} for the text`)
    }
  )
}
