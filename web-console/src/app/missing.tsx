/** What does not exist, and what belongs to somebody else, look the same. */
export function Missing() {
  return (
    <main className="shell-main">
      <div className="state">
        <h1>There is nothing here</h1>
        <p>The address may be mistyped, what was here may be gone, or it belongs to an organisation that you are not a member of.</p>
        <a href="/console/">Go to the start</a>
      </div>
    </main>
  );
}
