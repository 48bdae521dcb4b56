import './style.css'
import { USAGE_BAR_SCALE_PERCENT } from '#shared/limits.ts'
import type { Usage } from '#shared/usage.ts'
import { formatNumber } from '../../lib/format.ts'
import { percentText } from './percent-text.ts'

/** The bar reaches to 150 % of the plan limit, which is marked. `of` names whose plan it is, where there are several. */
export function UsageBar({ usage, of = 'the plan' }: { usage: Usage; of?: string }) {
  const { percent, used, planLimit, level, bar } = usage
  if (percent === null || planLimit === null) return null
  const words = `${formatNumber(used)} of ${formatNumber(planLimit)} GB used, ${percentText(percent)}`
  return (
    <div className="usage-bar-block">
      <p className="usage-words">
        <strong>{percentText(percent)}</strong> of {formatNumber(planLimit)} GB used
      </p>
      {/* biome-ignore lint/a11y/useSemanticElements: a meter element shows no mark at the plan limit */}
      <div
        className="usage-bar"
        role="meter"
        aria-label={`Usage of ${of}`}
        aria-valuemin={0}
        aria-valuemax={USAGE_BAR_SCALE_PERCENT}
        aria-valuenow={Math.min(percent, USAGE_BAR_SCALE_PERCENT)}
        aria-valuetext={words}
      >
        <span className={`usage-fill ${level}`} style={{ width: `${bar.fill}%` }} />
        <span className="usage-limit" style={{ left: `${bar.baseline}%` }} />
      </div>
      <p className="usage-scale" aria-hidden="true">
        <span>0</span>
        <span className="usage-limit-label" style={{ left: `${bar.baseline}%` }}>
          Plan limit
        </span>
        <span>{USAGE_BAR_SCALE_PERCENT} %</span>
      </p>
    </div>
  )
}

/** What is said near the limit and beyond it; nothing below. */
export function UsageWarning({ usage: { level, title, text } }: { usage: Usage }) {
  if (!title) return null
  return (
    <div className={`notice ${level === 'exceeded' ? 'danger' : 'warn'}`} role="status">
      <span>
        <strong>{title}</strong> {text}
      </span>
    </div>
  )
}
