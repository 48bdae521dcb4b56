import '../../../support/client/dom.ts'
import t from 'tap'
import type uPlot from 'uplot'
import { drawLimits, drawMarkEdges, shadeMarks } from '#client/ui/chart/chart-marks.ts'

const BOX = { left: 40, top: 30, width: 340, height: 150 }
const FONT_SIZE = 12

/** The bottom positions of limit names in a chart from 20 to 25 °C, by name. */
function bottomsOf(...limits: [name: string, value: number][]): Record<string, number> {
  const bottoms: Record<string, number> = {}
  const ctx = {
    fillText(text: string, _left: number, bottom: number) {
      bottoms[text] = bottom
    },
    ...Object.fromEntries(
      ['save', 'restore', 'beginPath', 'rect', 'clip', 'setLineDash', 'moveTo', 'lineTo', 'stroke'].map(
        (name) => [name, () => {}]
      )
    )
  }
  const valToPos = (value: number) => BOX.top + ((25 - value) / 5) * BOX.height
  const chart = { ctx, bbox: BOX, scales: { '°C': { min: 20, max: 25 } }, valToPos }
  drawLimits(
    chart as unknown as uPlot,
    1,
    limits.map(([text, value]) => ({ unit: '°C', value, text }))
  )
  return bottoms
}

t.test('does not draw a limit that is out of view', async (t) => {
  t.same(bottomsOf(['above', 25.1], ['below', 19.9]), {})
})

t.test('draws the name of a limit above its line, and within the chart', async (t) => {
  t.same(bottomsOf(['middle', 24]), { middle: 58.5 })
  t.same(bottomsOf(['highest', 25]), { highest: BOX.top + FONT_SIZE })
})

t.test('names of two nearly equal limits do not overlap', async (t) => {
  const { high = 0, higher = 0 } = bottomsOf(['high', 24], ['higher', 24.01])
  t.ok(Math.abs(high - higher) >= FONT_SIZE)
})

/** The rectangles that a function draws for alarms in a chart from 0 to 340 ms, as [left, width]. */
function rectanglesOf(
  draw: typeof shadeMarks,
  ...marks: [fromMs: number, toMs: number][]
): [number, number][] {
  const rectangles: [number, number][] = []
  const ctx = {
    fillRect: (left: number, _top: number, width: number) => rectangles.push([left - BOX.left, width]),
    ...Object.fromEntries(['save', 'restore', 'beginPath', 'rect', 'clip'].map((name) => [name, () => {}]))
  }
  const chart = { ctx, bbox: BOX, valToPos: (ms: number) => BOX.left + ms }
  draw(
    chart as unknown as uPlot,
    1,
    marks.map(([fromMs, toMs]) => ({ fromMs, toMs, text: 'alarm' }))
  )
  return rectangles
}

t.test('what is drawn over the states of a lane covers none of them', async (t) => {
  t.same(rectanglesOf(drawMarkEdges, [100, 200]), [
    [100, 1],
    [199, 1]
  ])
  t.same(rectanglesOf(drawMarkEdges, [100, 101]), [[100, 1]], 'an alarm of a moment has one edge')
})

t.test('the shade behind the samples has the length of the alarm, at least a pixel', async (t) => {
  t.same(rectanglesOf(shadeMarks, [100, 200], [300, 300]), [
    [100, 100],
    [300, 1]
  ])
})
