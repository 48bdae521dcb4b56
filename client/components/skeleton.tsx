interface SkeletonProps {
  width: string
  label?: string
}

/** A line of something to come; visible only when it takes longer than 300 ms. */
export function Skeleton({ width, label }: SkeletonProps) {
  return (
    <span className="skeleton" style={{ width }}>
      {label && <span className="sr-only">{label}</span>}
    </span>
  )
}
