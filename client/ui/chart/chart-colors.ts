// The ten colours of charts with their dashes. They differ in both themes, also for people with red or green blindness
// (a test checks this). Lines also differ by number and dash.
export const CHART_COLORS = [
  { light: '#446c97', dark: '#88bafc', dash: [] },
  { light: '#904011', dark: '#f2a740', dash: [] },
  { light: '#33804d', dark: '#5ce78d', dash: [] },
  { light: '#7d3be9', dark: '#9481ce', dash: [] },
  { light: '#8a0327', dark: '#f77187', dash: [] },
  { light: '#2c796f', dark: '#24c0a5', dash: [6, 3] },
  { light: '#b0016a', dark: '#f034a3', dash: [6, 3] },
  { light: '#777404', dark: '#e9ec3f', dash: [6, 3] },
  { light: '#3a424e', dark: '#b0bed2', dash: [2, 3] },
  { light: '#623e31', dark: '#bd8a59', dash: [2, 3] }
] as const

export function chartColor(index: number, theme: 'light' | 'dark'): string {
  return CHART_COLORS[index % CHART_COLORS.length]?.[theme] ?? ''
}

/**
 * The fills of states in lanes and keys, in the order of the chart colours: paler than the lines in the light theme and
 * darker in the dark theme, so that a state is never taken for a line and its text is readable on it.
 */
export const STATE_COLORS = [
  { light: '#a9cdf2', dark: '#24507e' },
  { light: '#f3bd8c', dark: '#7c4513' },
  { light: '#a3dcb2', dark: '#1f6637' },
  { light: '#cfbdf7', dark: '#55389b' },
  { light: '#f4a3ae', dark: '#8a2438' },
  { light: '#93d8d0', dark: '#136560' },
  { light: '#f3b3dc', dark: '#7c2765' },
  { light: '#e0d985', dark: '#62600d' },
  { light: '#c3cad4', dark: '#4a5462' },
  { light: '#dcc2b2', dark: '#65452f' }
] as const
/** The fill of a state of rest, such as off. */
const REST_COLOR = { light: '#d8dce3', dark: '#38414e' } as const

/** @param index the colour of a state; null for a state of rest */
export function stateColor(index: number | null, theme: 'light' | 'dark'): string {
  const color = index === null ? REST_COLOR : (STATE_COLORS[index % STATE_COLORS.length] ?? REST_COLOR)
  return color[theme]
}

type ColorOf<Index> = (index: Index, theme: 'light' | 'dark') => string

/** A colour for style sheets, in both themes: of a line with `chartColor`, of a state with `stateColor`. */
export function cssColor<Index>(colorOf: ColorOf<Index>, index: Index): string {
  return `light-dark(${colorOf(index, 'light')}, ${colorOf(index, 'dark')})`
}

export function themeNow(): 'light' | 'dark' {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light'
}

// A canvas does not understand `light-dark()`. A registered property has the resolved colour as its value.
for (const name of ['--text', '--muted', '--line', '--surface', '--danger', '--danger-back']) {
  globalThis.CSS?.registerProperty?.({ name, syntax: '<color>', inherits: true, initialValue: '#777' })
}

export function token(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim()
}
