/** Calls with the token that the host asks for, once more with a new one where it was refused. */
let token = null;

async function send(path, request) {
  token ??= (await (await fetch("/api/csrf_token")).json()).token;
  return fetch(path, { ...request, headers: { ...request.headers, "X-CSRF-Token": token } });
}

export async function callJsonApi(endpoint, data) {
  const path = `/api/${endpoint.replace(/^\/+/, "")}`;
  const request = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(data) };
  let answer = await send(path, request);
  if (answer.status === 403) {
    token = null;
    answer = await send(path, request);
  }
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
