import './chart.css'
import { CHART_COLORS, chartColor, cssColor, stateColor } from './chart-colors.ts'

interface LineSwatchProps {
  color: number
  /** The colour of a state, drawn as a square instead of a line; null draws grey, for states such as off. */
  state?: number | null | undefined
  ghost?: boolean
}

const GHOST_DASH = [4, 3]

/** The legend symbol of a chart line: its colour, dash and number. */
export function LineSwatch({ color, state, ghost = false }: LineSwatchProps) {
  const dash = ghost ? GHOST_DASH : (CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])
  return (
    <span className="line-swatch" data-ghost={ghost || undefined}>
      <svg width="22" height="12" viewBox="0 0 22 12" aria-hidden="true">
        {state !== undefined ? (
          <rect x="5" y="0" width="12" height="12" rx="3" style={{ fill: cssColor(stateColor, state) }} />
        ) : (
          <line
            x1={0}
            y1={6}
            x2={22}
            y2={6}
            strokeWidth={2.5}
            strokeDasharray={dash.join(' ') || undefined}
            style={{ stroke: cssColor(chartColor, color) }}
          />
        )}
      </svg>
      <span>{color + 1}</span>
    </span>
  )
}
