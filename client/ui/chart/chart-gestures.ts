// What pointers do beyond pointing: Shift and drag moves the time, Ctrl and wheel zooms, a finger reads, two move and zoom.
import type uPlot from 'uplot'

/** Seconds. */
export interface ChartRange {
  from: number
  to: number
}

export function rangeNow(chart: uPlot): ChartRange {
  const { min, max } = chart.scales.x ?? {}
  return { from: min ?? 0, to: max ?? 1 }
}

/** A factor below 1 comes closer to `at`, which stays where it is. */
export function zoomed({ from, to }: ChartRange, at: number, factor: number): ChartRange {
  return { from: at - (at - from) * factor, to: at + (to - at) * factor }
}

export function moved({ from, to }: ChartRange, seconds: number): ChartRange {
  return { from: from + seconds, to: to + seconds }
}

type SetCursor = (at: { left: number; top: number }, tells: boolean, tellsOthers: boolean) => void

/** To a place in pixels, and in the charts of the same `sync` as well, which uPlot's types leave out. */
export function moveCursor(chart: uPlot, left: number, top: number): void {
  const set: SetCursor = chart.setCursor
  set({ left, top }, true, true)
}

const WHEEL_FACTOR = 1.2

/** A finger reads the chart as a mouse does. Returns what ends it. */
export function followGestures(chart: uPlot, onRange: ((range: ChartRange) => void) | undefined): () => void {
  const { over } = chart
  /** The time that each pointer holds. */
  const held = new Map<number, { time: number; x: number }>()
  const xOf = (event: PointerEvent | WheelEvent) => event.clientX - over.getBoundingClientRect().left

  function press(event: PointerEvent) {
    const moves = event.pointerType === 'touch' || event.shiftKey
    if (!moves || held.size === 2) return
    read(event)
    const x = xOf(event)
    held.set(event.pointerId, { time: chart.posToVal(x, 'x'), x })
    over.setPointerCapture(event.pointerId)
  }

  function read(event: PointerEvent) {
    if (event.pointerType !== 'touch' || held.size > 1) return
    const { left, top } = over.getBoundingClientRect()
    moveCursor(chart, event.clientX - left, event.clientY - top)
  }

  function drag(event: PointerEvent) {
    const own = held.get(event.pointerId)
    if (!own) return
    own.x = xOf(event)
    const [one, other] = [...held.values()]
    if (!one) return
    if (!other && event.pointerType === 'touch') return read(event)
    if (!onRange) return
    const { from, to } = rangeNow(chart)
    const width = over.clientWidth
    // Each finger keeps its time: two stretch the range and move it.
    const apart = other && Math.abs(other.x - one.x) > 8 ? (other.time - one.time) / (other.x - one.x) : 0
    const perPixel = apart > 0 ? apart : (to - from) / width
    const start = one.time - one.x * perPixel
    onRange({ from: start, to: start + width * perPixel })
  }

  function release(event: PointerEvent) {
    held.delete(event.pointerId)
    for (const pointer of held.values()) pointer.time = chart.posToVal(pointer.x, 'x')
  }

  function turn(event: WheelEvent) {
    if (!event.ctrlKey || !onRange) return
    event.preventDefault()
    const factor = event.deltaY > 0 ? WHEEL_FACTOR : 1 / WHEEL_FACTOR
    onRange(zoomed(rangeNow(chart), chart.posToVal(xOf(event), 'x'), factor))
  }

  over.addEventListener('pointerdown', press)
  over.addEventListener('pointermove', drag)
  over.addEventListener('pointerup', release)
  over.addEventListener('pointercancel', release)
  over.addEventListener('wheel', turn, { passive: false })
  return () => {
    over.removeEventListener('pointerdown', press)
    over.removeEventListener('pointermove', drag)
    over.removeEventListener('pointerup', release)
    over.removeEventListener('pointercancel', release)
    over.removeEventListener('wheel', turn)
  }
}
