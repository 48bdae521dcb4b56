// Gestures: Shift and drag pans, Ctrl and wheel zooms, one finger moves the cursor, two fingers pan and zoom.
import type uPlot from 'uplot'
import type { TimeRange } from '../../lib/time/date-range.ts'

export function rangeNow({ scales: { x } }: uPlot): TimeRange {
  return { fromMs: x?.min ?? 0, toMs: x?.max ?? 1 }
}

/** Zooms around `at`; a factor below 1 zooms in. */
export function zoomed({ fromMs, toMs }: TimeRange, at: number, factor: number): TimeRange {
  return { fromMs: at - (at - fromMs) * factor, toMs: at + (toMs - at) * factor }
}

export function moved({ fromMs, toMs }: TimeRange, ms: number): TimeRange {
  return { fromMs: fromMs + ms, toMs: toMs + ms }
}

type SetCursor = (at: { left: number; top: number }, calls: boolean, synchronizes: boolean) => void

/** In pixels. Also moves synchronized charts, which uPlot's types omit. */
export function moveCursor(chart: uPlot, left: number, top: number): void {
  const set: SetCursor = chart.setCursor
  set({ left, top }, true, true)
}

const WHEEL_FACTOR = 1.2

export function followGestures(chart: uPlot, onRange: ((range: TimeRange) => void) | undefined): () => void {
  const { over } = chart
  /** The time under each pointer that is down. */
  const down = new Map<number, { time: number; x: number }>()
  const xOf = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left

  function press(event: PointerEvent) {
    const moves = event.pointerType === 'touch' || event.shiftKey
    if (!moves || down.size === 2) return
    read(event)
    const x = xOf(event)
    down.set(event.pointerId, { time: chart.posToVal(x, 'x'), x })
    over.setPointerCapture(event.pointerId)
  }

  function read(event: PointerEvent) {
    if (event.pointerType !== 'touch' || down.size > 1) return
    const { left, top } = over.getBoundingClientRect()
    moveCursor(chart, event.clientX - left, event.clientY - top)
  }

  function drag(event: PointerEvent) {
    const own = down.get(event.pointerId)
    if (!own) return
    own.x = xOf(event)
    const [one, other] = [...down.values()]
    if (!one) return
    if (!other && event.pointerType === 'touch') return read(event)
    const { fromMs, toMs } = rangeNow(chart)
    const width = over.clientWidth
    // The time under each finger stays, so two fingers pan and zoom.
    const apart = other && Math.abs(other.x - one.x) > 8 ? (other.time - one.time) / (other.x - one.x) : 0
    const perPixel = apart > 0 ? apart : (toMs - fromMs) / width
    const start = one.time - one.x * perPixel
    onRange?.({ fromMs: start, toMs: start + width * perPixel })
  }

  function release(event: PointerEvent) {
    down.delete(event.pointerId)
    for (const pointer of down.values()) pointer.time = chart.posToVal(pointer.x, 'x')
  }

  function turn(event: WheelEvent) {
    if (!event.ctrlKey || !onRange) return
    event.preventDefault()
    const factor = event.deltaY > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR
    onRange(zoomed(rangeNow(chart), chart.posToVal(xOf(event), 'x'), factor))
  }

  const end = new AbortController()
  const { signal } = end
  over.addEventListener('pointerdown', press, { signal })
  over.addEventListener('pointermove', drag, { signal })
  over.addEventListener('pointerup', release, { signal })
  over.addEventListener('pointercancel', release, { signal })
  over.addEventListener('wheel', turn, { passive: false, signal })
  return () => end.abort()
}
