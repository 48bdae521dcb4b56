// Gestures: Shift and drag pans, Ctrl and wheel zooms, one finger moves the cursor, two fingers pan and zoom.
import type uPlot from 'uplot'
import type { TimeRange } from '#shared/time/date-ranges.ts'

export function rangeNow({ scales: { x } }: uPlot): TimeRange {
  return { fromMs: x?.min ?? 0, toMs: x?.max ?? 1 }
}

/** Zooms around `centerMs`. A factor below 1 zooms in. */
export function zoomed({ fromMs, toMs }: TimeRange, centerMs: number, factor: number): TimeRange {
  return { fromMs: centerMs - (centerMs - fromMs) * factor, toMs: centerMs + (toMs - centerMs) * factor }
}

export function moved({ fromMs, toMs }: TimeRange, ms: number): TimeRange {
  return { fromMs: fromMs + ms, toMs: toMs + ms }
}

type SetCursor = (place: { left: number; top: number }, calls: boolean, synchronizes: boolean) => void

/** `left` and `top` are in pixels. Also moves synchronized charts, by a parameter that uPlot's types omit. */
export function moveCursor(chart: uPlot, left: number, top: number): void {
  const set: SetCursor = chart.setCursor
  set({ left, top }, true, true)
}

const WHEEL_FACTOR = 1.2

export function followGestures(chart: uPlot, onRange: ((range: TimeRange) => void) | undefined): () => void {
  const { over } = chart
  /** The time under each pointer that is down. */
  const pointers = new Map<number, { time: number; x: number }>()
  const xOf = (event: MouseEvent) => event.clientX - over.getBoundingClientRect().left

  function press(event: PointerEvent) {
    const isGesture = event.pointerType === 'touch' || event.shiftKey
    if (!isGesture || pointers.size === 2) return
    showCursor(event)
    const x = xOf(event)
    pointers.set(event.pointerId, { time: chart.posToVal(x, 'x'), x })
    over.setPointerCapture(event.pointerId)
  }

  function showCursor(event: PointerEvent) {
    if (event.pointerType !== 'touch' || pointers.size > 1) return
    const { left, top } = over.getBoundingClientRect()
    moveCursor(chart, event.clientX - left, event.clientY - top)
  }

  function drag(event: PointerEvent) {
    const pointer = pointers.get(event.pointerId)
    if (!pointer) return
    pointer.x = xOf(event)
    const [first, second] = [...pointers.values()]
    if (!first) return
    if (!second && event.pointerType === 'touch') return showCursor(event)
    const { fromMs, toMs } = rangeNow(chart)
    const width = over.clientWidth
    // The time under each finger stays, so two fingers pan and zoom.
    const pinchScale =
      second && Math.abs(second.x - first.x) > 8 ? (second.time - first.time) / (second.x - first.x) : 0
    const perPixel = pinchScale > 0 ? pinchScale : (toMs - fromMs) / width
    const start = first.time - first.x * perPixel
    onRange?.({ fromMs: start, toMs: start + width * perPixel })
  }

  function release(event: PointerEvent) {
    pointers.delete(event.pointerId)
    for (const pointer of pointers.values()) pointer.time = chart.posToVal(pointer.x, 'x')
  }

  function zoomByWheel(event: WheelEvent) {
    if (!event.ctrlKey || !onRange) return
    event.preventDefault()
    const factor = event.deltaY > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR
    onRange(zoomed(rangeNow(chart), chart.posToVal(xOf(event), 'x'), factor))
  }

  const controller = new AbortController()
  const { signal } = controller
  over.addEventListener('pointerdown', press, { signal })
  over.addEventListener('pointermove', drag, { signal })
  over.addEventListener('pointerup', release, { signal })
  over.addEventListener('pointercancel', release, { signal })
  over.addEventListener('wheel', zoomByWheel, { passive: false, signal })
  return () => controller.abort()
}
