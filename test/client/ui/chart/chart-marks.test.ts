// Labels of limits are complete, and do not cover the samples before an alarm.
import '../../../support/client/dom.ts'
import t from 'tap'
import type uPlot from 'uplot'
import { drawLimits } from '#client/ui/chart/chart-marks.ts'

const CHARACTER = 7
const TEXT = 'High limit 24.0 °C'
const WIDTH = CHARACTER * TEXT.length
const MINUTE = 60_000
/** Two hours before the alarm and one after it. */
const [START, RAISED, END] = [0, 120 * MINUTE, 180 * MINUTE]

/** A chart from 20 to 25 °C, whose samples are `valueAt` each minute. */
function chartOf(width: number, valueAt: (time: number) => number) {
  const texts: { text: string; align: string; left: number; top: number }[] = []
  const filled: string[] = []
  const times = Array.from({ length: 181 }, (_, index) => index * MINUTE)
  const box = { left: 40, top: 30, width, height: 150 }
  const ctx = {
    textAlign: 'right',
    measureText: (text: string) => ({ width: CHARACTER * text.length }),
    fillText(text: string, x: number, bottom: number) {
      texts.push({ text, align: ctx.textAlign, left: x, top: bottom - 12 })
    },
    fillRect: () => void filled.push('fillRect'),
    ...Object.fromEntries(
      ['save', 'restore', 'beginPath', 'rect', 'clip', 'setLineDash', 'moveTo', 'lineTo', 'stroke'].map(
        (name) => [name, () => {}]
      )
    )
  }
  const valToPos = (value: number, scale: string) =>
    scale === 'x'
      ? box.left + ((value - START) / (END - START)) * width
      : box.top + ((25 - value) / 5) * box.height
  const chart = {
    ctx,
    bbox: box,
    scales: { x: { min: START, max: END }, '°C': { min: 20, max: 25 } },
    series: [{}, { scale: '°C' }],
    data: [times, times.map(valueAt)],
    valToPos
  }
  const hidden = (from: number, to: number) =>
    times.filter((time) => {
      const [x, y] = [valToPos(time, 'x'), valToPos(valueAt(time), '°C')]
      const { left = 0, top = 0 } = texts[0] ?? {}
      return time >= from && time <= to && x >= left && x <= left + WIDTH && y >= top && y <= top + 12
    })
  return { chart: chart as unknown as uPlot, box, texts, filled, hidden }
}

const shapes: Record<string, (time: number) => number> = {
  'just under its limit': () => 23.8,
  'rising through its limit': (time) => 21 + (3 * time) / RAISED,
  'about its limit': (time) => 24 + 0.4 * Math.sin(time / 300_000),
  'just over its limit': () => 24.2
}

for (const [name, valueAt] of Object.entries(shapes))
  for (const width of [700, 340])
    t.test(
      `draws the whole label of a limit beside a line ${name}, in a chart ${width} pixels wide`,
      async (t) => {
        const { chart, box, texts, filled, hidden } = chartOf(width, valueAt)
        const mark = { fromMs: RAISED, toMs: END, text: 'High' }
        drawLimits(chart, [{ unit: '°C', value: 24, text: TEXT }], [mark])
        t.match(texts, [{ text: TEXT, align: 'left' }])
        const left = texts[0]?.left ?? 0
        t.ok(left >= box.left && left + WIDTH <= box.left + box.width, 'within the chart')
        t.strictSame(
          hidden(RAISED - 60 * MINUTE, RAISED),
          [],
          'the label does not cover samples in the hour before the alarm'
        )
        t.strictSame(filled, [])
      }
    )

t.test('labels of two nearly equal limits do not overlap', async (t) => {
  const { chart, texts } = chartOf(700, () => 21)
  const limit = { unit: '°C', value: 24, text: TEXT }
  drawLimits(chart, [limit, { ...limit, value: 24.01 }])
  const [a, b] = texts
  t.ok(Math.abs((a?.left ?? 0) - (b?.left ?? 0)) > WIDTH || Math.abs((a?.top ?? 0) - (b?.top ?? 0)) > 12)
})
