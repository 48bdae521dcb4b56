// The ten colours of charts with their dashes (screens.md 0.3): a line is told by its number and dash as well.
export const CHART_COLORS = [
  { light: '#0b63ce', dark: '#6ea8fe', dash: [] },
  { light: '#b45309', dark: '#f5a742', dash: [] },
  { light: '#15803d', dark: '#4ade80', dash: [] },
  { light: '#7c3aed', dark: '#b79bff', dash: [] },
  { light: '#c2182b', dark: '#ff7b86', dash: [] },
  { light: '#0f766e', dark: '#2dd4bf', dash: [6, 3] },
  { light: '#be185d', dark: '#f78ac5', dash: [6, 3] },
  { light: '#6b6f00', dark: '#d4d84a', dash: [6, 3] },
  { light: '#475569', dark: '#a9b4c6', dash: [2, 3] },
  { light: '#7c4a1e', dark: '#d9a47a', dash: [2, 3] }
] as const

export function chartColor(index: number, theme: 'light' | 'dark'): string {
  return CHART_COLORS[index % CHART_COLORS.length]?.[theme] ?? ''
}
