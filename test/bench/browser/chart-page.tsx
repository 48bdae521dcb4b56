// A page with the portal's history chart and nothing else, and what measures it from within.
import '#client/app/main.css'
import '#client/features/points/style.css'
import { useState } from 'react'
import { createRoot } from 'react-dom/client'
import type { ChartLine } from '#client/features/history/drawing/chart-lines.ts'
import { useDrawing } from '#client/features/history/drawing/drawing.ts'
import { HistoryChart } from '#client/features/history/drawing/history-chart.tsx'
import { pointOf } from '#client/features/points/point.ts'
import type { TimeRange } from '#client/lib/time/date-range.ts'
import { formatDay } from '#client/lib/time/time.ts'

const DAY_MS = 86_400_000
const UNITS = ['°C', '%']

/** Milliseconds. */
export interface FirstFigures {
  /** From samples in memory to a painted chart. */
  painted: number
  /** The longest task of the page's own thread meanwhile. */
  longestTask: number
}

export interface ZoomFigures {
  /** From a change of the time in view to its frame, one each. */
  frames: number[]
  /** Frames in which nothing is drawn: what the machine itself takes. */
  idle: number[]
  longestTask: number
}

export interface CursorFigures {
  /** From a move of the mouse to the frame that has the tooltip of all series there, one each. */
  moves: number[]
  longestTask: number
}

function linesOf(series: number, samples: number, range: TimeRange): ChartLine[] {
  return Array.from({ length: series }, (_, place) => {
    const step = (range.toMs - range.fromMs) / samples
    const times = Float64Array.from(
      { length: samples },
      (_, at) => range.fromMs + (at + place / series) * step
    )
    const values = times.map((_, at) => 20 + place + 3 * Math.sin(at / 900 + place) + Math.random())
    const tags = { dataType: 'Numeric', units: UNITS[place % UNITS.length] }
    const point = pointOf({
      cloudId: `c-${place}`,
      displayName: `Series ${place + 1}`,
      systemGuid: 'g',
      tags
    })
    return {
      id: `${place}`,
      name: point.displayName,
      device: '',
      point,
      samples: { times, values },
      heldUntilMs: null,
      color: place,
      shiftMs: null
    }
  })
}

let show: (view: TimeRange) => void = () => {}

function Page({ lines, whole }: { lines: readonly ChartLine[]; whole: TimeRange }) {
  const [view, setView] = useState(whole)
  const drawing = useDrawing(lines)
  show = setView
  return (
    <HistoryChart
      lines={lines}
      drawing={drawing}
      view={view}
      zone="UTC"
      height={340}
      nowMs={whole.toMs}
      onView={() => {}}
    />
  )
}

const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve))

/** Once the frame that is being made has been painted. */
const afterPaint = () =>
  new Promise<number>((resolve) =>
    requestAnimationFrame(() => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => resolve(performance.now())
      channel.port2.postMessage(null)
    })
  )

// uPlot clears its canvas whenever it draws.
let onDraw: (() => void) | null = null
const clear = CanvasRenderingContext2D.prototype.clearRect
CanvasRenderingContext2D.prototype.clearRect = function (...area) {
  onDraw?.()
  onDraw = null
  clear.apply(this, area)
}

/** How long after now the next drawing has been painted. */
function nextPainted(): Promise<number> {
  const since = performance.now()
  return new Promise((resolve) => {
    onDraw = () => void afterPaint().then((at) => resolve(at - since))
  })
}

const tasks: { start: number; ms: number }[] = []
new PerformanceObserver((list) => {
  for (const { startTime, duration } of list.getEntries()) tasks.push({ start: startTime, ms: duration })
}).observe({ entryTypes: ['longtask'] })
const longestSince = (since: number) =>
  Math.max(0, ...tasks.filter(({ start, ms }) => start + ms > since).map(({ ms }) => ms))

const YEAR = { fromMs: Date.UTC(2026, 0, 1), toMs: Date.UTC(2026, 0, 1) + 365 * DAY_MS }
let lines: ChartLine[] = []

/** Tasks are reported once they are over. */
async function settle() {
  for (let count = 0; count < 10; count++) await frame()
}

async function prepare(series: number, samples: number): Promise<void> {
  lines = linesOf(series, samples, YEAR)
  // The range above the chart has said its days before.
  formatDay(new Date(YEAR.fromMs).toISOString(), 'UTC')
  await settle()
}

async function drawFirst(): Promise<FirstFigures> {
  const begun = performance.now()
  const painted = nextPainted()
  const root = document.querySelector('#root')
  if (root) createRoot(root).render(<Page lines={lines} whole={YEAR} />)
  const figures = { painted: await painted }
  await settle()
  return { ...figures, longestTask: longestSince(begun) }
}

async function zoom(times: number): Promise<ZoomFigures> {
  const begun = performance.now()
  const [frames, idle]: [number[], number[]] = [[], []]
  for (let count = 1; count <= times; count++) {
    const length = 365 * DAY_MS * (1 - (0.9 * count) / times)
    const fromMs = YEAR.fromMs + (365 * DAY_MS - length) * 0.4
    const since = performance.now()
    idle.push((await afterPaint()) - since)
    const painted = nextPainted()
    show({ fromMs, toMs: fromMs + length })
    frames.push(await painted)
  }
  await settle()
  return { frames, idle, longestTask: longestSince(begun) }
}

const tooltipText = () => document.querySelector('.chart-tooltip')?.textContent ?? ''

/** A change of the tooltip counts once the frame with it has been painted. */
async function toldAfter(x: number, y: number): Promise<number> {
  const before = tooltipText()
  const over = document.querySelector('.u-over')
  const since = performance.now()
  over?.dispatchEvent(new MouseEvent('mousemove', { clientX: x, clientY: y, bubbles: true }))
  for (;;) {
    const at = await afterPaint()
    if (tooltipText() !== before) return at - since
    if (at - since > 1000) throw new Error('the tooltip does not follow the cursor')
  }
}

/** Moves the cursor to so many places of the chart, at any moment of a frame. */
async function point(times: number): Promise<CursorFigures> {
  const begun = performance.now()
  const box = document.querySelector('.u-over')?.getBoundingClientRect()
  if (!box) throw new Error('no chart to point at')
  const moves: number[] = []
  for (let count = 0; count <= times; count++) {
    await new Promise((resolve) => setTimeout(resolve, (count * 7) % 17))
    const share = ((count * 37) % 100) / 100
    moves.push(await toldAfter(box.left + box.width * (0.005 + 0.99 * share), box.top + box.height / 2))
  }
  await settle()
  // The first one makes the tooltip.
  return { moves: moves.slice(1), longestTask: longestSince(begun) }
}

Object.assign(window, { prepare, drawFirst, zoom, point })
