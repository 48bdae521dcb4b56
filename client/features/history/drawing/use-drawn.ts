import { useEffect, useMemo, useState } from 'react'
import type { TimeRange } from '../../../lib/time/date-range.ts'
import { type ChartLine, type ChartPicture, picturesOf } from './chart-lines.ts'
import type { Drawn } from './decimation.ts'
import type { Drawing } from './drawing.ts'

export interface DrawnPictures {
  view: TimeRange
  pictures: readonly { picture: ChartPicture; drawn: Drawn | null }[]
}

/** What of the lines is drawn in so many pixels; the view is the one that it was made for. Lanes need no thinning. */
export function useDrawn(
  lines: readonly ChartLine[],
  drawing: Drawing | null,
  view: TimeRange,
  width: number
): DrawnPictures | null {
  const pictures = useMemo(() => picturesOf(lines), [lines])
  const [shown, setShown] = useState<DrawnPictures | null>(null)
  useEffect(() => {
    if (!drawing || width === 0) return
    let wanted = true
    const all = pictures.map(async (picture) => ({
      picture,
      drawn: picture.lanes
        ? null
        : await drawing.draw(
            picture.lines.map(({ id }) => id),
            view,
            width
          )
    }))
    void Promise.all(all).then((done) => {
      if (wanted) setShown({ view, pictures: done })
    })
    return () => {
      wanted = false
    }
  }, [drawing, pictures, view, width])
  return shown
}

/** The time that the averages of a line are of; null where its samples are drawn as they are. */
export function bucketsOf({ pictures }: DrawnPictures): (line: ChartLine) => number | null {
  const buckets = new Map<string, number | null>()
  for (const { picture, drawn } of pictures)
    picture.lines.forEach(({ id }, index) => {
      buckets.set(id, drawn?.lines[index]?.band ? drawn.bucketMs : null)
    })
  return ({ id }) => buckets.get(id) ?? null
}
