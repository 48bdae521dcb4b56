import '../../../../../support/client/dom.ts'
import { cleanup, fireEvent, render } from '@testing-library/react'
import t from 'tap'
import type { ChartLine } from '#client/features/data/history/chart/chart-lines.ts'
import { NOTHING_DRAWN } from '#client/features/data/history/chart/decimation.ts'
import { useDrawing, useDrawn } from '#client/features/data/history/chart/drawing.ts'
import { lineOf } from '#test/support/client/history.ts'
import { samplesOf } from '#test/support/samples.ts'

const lines: readonly ChartLine[] = [lineOf(0, samplesOf([0, 21]))]
const PICTURES = [{ id: 'chart', name: 'Chart', lines, named: lines, state: null }]
const VIEW = { fromMs: 0, toMs: 60_000 }

class FakeWorker {
  static started: FakeWorker[] = []
  onerror: (() => void) | null = null
  constructor() {
    FakeWorker.started.push(this)
  }
  terminate() {}
  postMessage(_order: object, [reply]: MessagePort[] = []) {
    if (FakeWorker.started.length > 1) reply?.postMessage(NOTHING_DRAWN)
  }
}

function Charts() {
  const drawing = useDrawing(lines)
  const { drawn, hasFailed } = useDrawn(PICTURES, drawing, VIEW, 100, 'UTC')
  return (
    <button type="button" onClick={drawing?.restart}>
      {hasFailed ? 'failed' : drawn ? 'drawn' : 'drawing'}
    </button>
  )
}

t.test('charts whose worker fails say so, and are drawn by another worker', async (t) => {
  t.intercept(globalThis, 'Worker', { value: FakeWorker })
  const { findByRole } = render(<Charts />)
  await findByRole('button', { name: 'drawing' })
  FakeWorker.started[0]?.onerror?.()
  fireEvent.click(await findByRole('button', { name: 'failed' }))
  await findByRole('button', { name: 'drawn' })
  t.equal(FakeWorker.started.length, 2)
  cleanup()
})
