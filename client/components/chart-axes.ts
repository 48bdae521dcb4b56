// What stands at the axes of a chart: times, numbers, or the words of states.
import type uPlot from 'uplot'
import { token } from './chart-theme.ts'

type Texts = readonly { ordinal: number; text: string }[]

const FONT = '12px system-ui, sans-serif'
/** The same everywhere, so that charts below each other have their times in line. */
export const AXIS_WIDTH = 58
export const LABEL_WIDTH = 18
const HUGE = 1e12

export function axis(own: uPlot.Axis): uPlot.Axis {
  return {
    font: FONT,
    labelFont: FONT,
    labelSize: LABEL_WIDTH,
    stroke: () => token('--muted'),
    ticks: { stroke: () => token('--line'), width: 1 },
    ...own,
    grid: { stroke: () => token('--line'), width: 1, ...own.grid }
  }
}

export function ticksOf(texts: Texts | undefined): uPlot.Axis {
  if (texts)
    return {
      splits: () => texts.map(({ ordinal }) => ordinal),
      values: (_, splits) =>
        splits.map((at) => shortText(texts.find(({ ordinal }) => ordinal === at)?.text ?? ''))
    }
  return {
    splits: (_chart, _index, min, max, increment) => {
      // Of the largest numbers uPlot finds no step.
      if (max - min > HUGE || !(increment > 0)) return [min, min / 2 + max / 2, max]
      const first = Math.ceil(min / increment)
      const count = Math.max(Math.floor(max / increment) - first + 1, 0)
      return Array.from({ length: count }, (_, step) => rounded((first + step) * increment, increment))
    },
    values: (_, splits) => splits.map(axisNumber)
  }
}

// Additions of tenths are not exact.
function rounded(value: number, increment: number): number {
  const digits = Math.max(0, Math.min(20, Math.ceil(-Math.log10(increment)) + 1))
  return Number(value.toFixed(digits))
}

const AXIS_TEXT_CHARACTERS = 7

function shortText(text: string): string {
  const characters = [...text]
  return characters.length > AXIS_TEXT_CHARACTERS
    ? `${characters.slice(0, AXIS_TEXT_CHARACTERS - 1).join('')}…`
    : text
}

function axisNumber(value: number): string {
  const size = Math.abs(value)
  if (size >= 1e7 || (size > 0 && size < 1e-4)) return value.toExponential(1).replace('e+', 'e')
  return value.toLocaleString('en', { maximumFractionDigits: 6 })
}

// Rows of uPlot: from which step on, the tick, and what is added where the year, month or day changes.
const NONE = [null, null, null, null] as const
const DAY_BELOW = ['\n{DD}-{MMM}', null, '\n{DD}-{MMM}', null, null, null, 1] as const
export const TIMES = [
  [31_536_000, '{YYYY}', null, null, ...NONE, 1],
  [2_419_200, '{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [86_400, '{DD}-{MMM}', '\n{YYYY}', null, ...NONE, 1],
  [60, '{HH}:{mm}', ...DAY_BELOW],
  [1, '{HH}:{mm}:{ss}', ...DAY_BELOW],
  [0.001, '{ss}.{fff}', ...DAY_BELOW]
] as unknown as uPlot.Axis.Values
