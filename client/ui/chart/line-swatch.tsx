import { CHART_COLORS, cssColor } from './chart-colors.ts'

interface LineSwatchProps {
  color: number
  /** A state is no line: a square stands for its lane. */
  square?: boolean
  /** Of a time to compare with. */
  ghost?: boolean
}

/** A piece of a line with its number: colour, dash and number tell it from the others. */
export function LineSwatch({ color, square = false, ghost = false }: LineSwatchProps) {
  const dash = ghost ? GHOST_DASH : (CHART_COLORS[color % CHART_COLORS.length]?.dash ?? [])
  const stroke = cssColor(color)
  return (
    <span className="line-swatch" data-ghost={ghost || undefined}>
      <svg width="22" height="12" viewBox="0 0 22 12" aria-hidden="true">
        {square ? (
          <rect x="5" y="0" width="12" height="12" rx="3" style={{ fill: stroke }} />
        ) : (
          <line
            x1="0"
            y1="6"
            x2="22"
            y2="6"
            strokeWidth="2.5"
            strokeDasharray={dash.join(' ') || undefined}
            style={{ stroke }}
          />
        )}
      </svg>
      <span>{color + 1}</span>
    </span>
  )
}

const GHOST_DASH = [4, 3]
