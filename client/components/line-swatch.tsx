import { CHART_COLORS } from '../lib/chart-colors.ts'

/** A piece of a line with its number: colour, dash and number tell it from the others. */
export function LineSwatch({ color }: { color: number }) {
  const at = color % CHART_COLORS.length
  const dash = CHART_COLORS[at]?.dash ?? []
  return (
    <span className={`line-swatch line-${at + 1}`}>
      <svg width="22" height="8" viewBox="0 0 22 8" aria-hidden="true">
        <line x1="0" y1="4" x2="22" y2="4" strokeWidth="2.5" strokeDasharray={dash.join(' ') || undefined} />
      </svg>
      <span>{color + 1}</span>
    </span>
  )
}
