// Text of the contract: paragraphs, with what stands between backquotes as code.

export function Prose({ text }: { text: string }) {
  return <>{text.split(/\n\s*\n/).filter(Boolean).map((paragraph) => <p key={paragraph}><Inline text={paragraph} /></p>)}</>;
}

export function Inline({ text }: { text: string }) {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part))}</>;
}
