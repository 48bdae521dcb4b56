import type { CardFact } from './columns/column.ts'

export function Facts({ facts }: { facts: readonly CardFact[] }) {
  if (facts.length === 0) return null
  return (
    <dl className="lines facts-list">
      {facts.map(({ name, value }) => (
        <div key={name}>
          <dt className="hint">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
