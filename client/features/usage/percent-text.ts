import { USAGE_LIMIT_PERCENT } from '#shared/limits.ts'
import { formatNumber } from '../../lib/format.ts'

const ROUNDING_ERROR = 1e-6

/** The share of a plan as it is said everywhere: to a tenth, and never rounded onto a limit or away from beyond it. */
export function percentText(percent: number): string {
  const tenths = percent * 10
  const whole =
    percent > USAGE_LIMIT_PERCENT ? Math.ceil(tenths - ROUNDING_ERROR) : Math.floor(tenths + ROUNDING_ERROR)
  return `${formatNumber(whole / 10)} %`
}
