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

/** A colour for style sheets, in both themes; null is grey, for a state such as off. */
export function cssColor(index: number | null): string {
  if (index === null) return 'color-mix(in srgb, var(--muted) 45%, var(--surface))'
  return `light-dark(${chartColor(index, 'light')}, ${chartColor(index, 'dark')})`
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
