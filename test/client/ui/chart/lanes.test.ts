// Lanes of states show texts completely or not at all.
import '../../../support/client/dom.ts'
import t from 'tap'
import type uPlot from 'uplot'
import { CHART_COLORS, STATE_COLORS, stateColor } from '#client/ui/chart/chart-colors.ts'
import type { ChartSeries, LaneRun } from '#client/ui/chart/chart-series.ts'
import { drawLane, laneHeight } from '#client/ui/chart/lanes.ts'

const CHARACTER_WIDTH = 7
/** A chart in which 1 ms is one pixel wide. Records the drawn texts and boxes. */
function chartOf(width: number) {
  const words: string[] = []
  const boxes: { left: number; width: number }[] = []
  const shares: { top: number; height: number }[] = []
  const ctx = {
    canvas: { height: 200 },
    measureText: (text: string) => ({ width: CHARACTER_WIDTH * text.length }),
    fillText: (text: string) => void words.push(text),
    roundRect: (left: number, _top: number, boxWidth: number) => void boxes.push({ left, width: boxWidth }),
    rect: (_left: number, top: number, _width: number, height: number) => void shares.push({ top, height }),
    ...Object.fromEntries(['save', 'restore', 'beginPath', 'clip', 'fill'].map((name) => [name, () => {}]))
  }
  const chart = { ctx, bbox: { left: 0, top: 0, width, height: 100 }, valToPos: (value: number) => value }
  // The first rectangle is the clip.
  return { chart: chart as unknown as uPlot, words, boxes, shares: () => shares.slice(1) }
}
const lane = (...runs: LaneRun[]): ChartSeries => ({
  label: 'Fan',
  unit: '',
  values: [],
  kind: 'lane',
  color: 4,
  runs
})
const run = (fromMs: number, toMs: number, text: string, bottom = 0, top = 1): LaneRun => ({
  ...{ fromMs, toMs, text, bottom, top },
  color: 2
})

t.test('draws text only in runs that have room for the whole text', async (t) => {
  const minWidth = CHARACTER_WIDTH * 'Running'.length + 12
  const { chart, words } = chartOf(1000)
  drawLane(chart, 1, lane(run(0, minWidth + 2, 'Running'), run(100, 100 + minWidth - 1, 'Running')))
  t.same(words, ['Running'])
})

t.test('a run that begins before the view has its text in its visible part', async (t) => {
  const { chart, words, boxes } = chartOf(200)
  drawLane(chart, 1, lane(run(-5000, 30, 'Running'), run(40, 5000, 'Off')))
  t.same(words, ['Off'])
  t.same(boxes[0]?.left, 0)
  t.ok((boxes[1]?.left ?? 0) + (boxes[1]?.width ?? 0) <= 200)
})

t.test('the shortest run is visible', async (t) => {
  const { chart, boxes } = chartOf(200)
  drawLane(chart, 1, lane(run(10, 10.01, 'On')))
  t.equal(boxes[0]?.width, 1)
})

t.test(
  'a lane with a previous period is taller, and states that are not highlighted have no text',
  async (t) => {
    t.ok(laneHeight(lane({ ...run(0, 1, 'On'), ghost: true })) > laneHeight(lane(run(0, 1, 'On'))))
    const { chart, words } = chartOf(1000)
    drawLane(chart, 1, lane({ ...run(0, 400, 'On'), faded: true }, run(400, 800, 'Off')))
    t.same(words, ['Off'])
  }
)

t.test('shares are stacked, as tall as their share of time, and without text', async (t) => {
  const { chart, words, shares } = chartOf(200)
  drawLane(chart, 1, lane(run(0, 100, 'Off', 0, 0.75), run(0, 100, 'Running', 0.75, 1)))
  t.same(shares(), [
    { top: 6.5, height: 19.5 },
    { top: 0, height: 6.5 }
  ])
  t.same(words, [])
})

t.test('the smallest share is visible', async (t) => {
  const { chart, shares } = chartOf(200)
  drawLane(chart, 1, lane(run(0, 100, 'Fault', 0.9999, 1)))
  t.equal(shares()[0]?.height, 1)
})

t.test('no state has the colour of a line', async (t) => {
  for (const theme of ['light', 'dark'] as const) {
    const lineColors = CHART_COLORS.map((color) => color[theme])
    const stateColors = [null, ...STATE_COLORS.keys()].map((index) => stateColor(index, theme))
    t.equal(new Set([...lineColors, ...stateColors]).size, lineColors.length + stateColors.length)
  }
})
