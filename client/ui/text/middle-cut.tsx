interface MiddleCutProps {
  text: string
  /** The part that is cut if the text does not fit. */
  start: string
  /** The part that always shows, as the number in "Cardiology Wing, Annex 2". */
  end: string
}

/** Text on one line that is cut in its middle. Screen readers read the whole text, and hovering shows it. */
export function MiddleCut({ text, start, end }: MiddleCutProps) {
  return (
    <span className="middle-cut">
      <span aria-hidden="true">{start}</span>
      <span aria-hidden="true">{end}</span>
      <span className="sr-only">{text}</span>
    </span>
  )
}
