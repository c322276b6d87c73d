(() => {
  const root = document.getElementById("@ID"), D = @DATA;
  const make = (tag, props, parent) => parent.appendChild(Object.assign(document.createElement(tag), props));
  const quiet = element => (element.dataset.lmSuppressShortcuts = "true", element);  // JupyterLab leaves its keys alone
  root.textContent = "";
  const bar = make("div", {className: "bar"}, root), note = make("p", {className: "whose"}, root);
  const pic = make("div", {}, root), heard = make("p", {className: "heard"}, root);
  heard.setAttribute("aria-live", "polite");
  const number = new Map(D.at.map((at, i) => [at.join(), i])), group = [], within = [];
  D.groups.forEach((g, k) => g.frames.forEach((f, i) => { group[f] = k; within[f] = i; }));
  const fixed = D.controls.map((c, j) => c.kind === "slider" ? -1 : j).filter(j => j >= 0);
  const home = at => D.at.find(other => fixed.every(j => other[j] === at[j]));
  let now = -1, drawn = -1, parts = [];

  function show(frame) {
    const g = D.groups[group[frame]];
    if (group[frame] !== drawn) {
      pic.innerHTML = g.body; parts = [...pic.querySelectorAll("*")]; drawn = group[frame];
    }
    for (const [part, name, pieces] of g.vary) {
      const value = pieces.map(p => typeof p === "string" ? p : p[0][D.orders[p[1]].charCodeAt(within[frame]) - D.first]).join(" ");
      if (name === "#") parts[part].textContent = value; else parts[part].setAttribute(name, value);
    }
    now = frame;
    D.controls.forEach((c, j) => c.follow(D.at[frame][j]));
    const svg = pic.querySelector("svg");
    heard.textContent = svg ? svg.getAttribute("aria-label") : pic.textContent;
  }
  function move(j, position) {
    let at = [...D.at[now]]; at[j] = position;
    if (!number.has(at.join())) {
      at = [...home(at)];
      if (D.controls[j].kind === "slider") at[j] = position;
    }
    show(number.get(at.join()));
  }
  D.controls.forEach((c, j) => {
    const row = make("div", {className: "row"}, bar), last = c.stops.length - 1;
    if (c.kind === "buttons") {
      row.setAttribute("role", "group"); row.setAttribute("aria-label", c.label);
      make("span", {textContent: c.label}, row);
      const all = c.stops.map((words, p) => quiet(make("button", {type: "button", textContent: words,
        onclick: () => move(j, p)}, row)));
      c.follow = p => all.forEach((b, i) => b.setAttribute("aria-pressed", i === p));
    } else {
      const label = make("label", {}, row); make("span", {textContent: c.label}, label);
      const slide = quiet(make("input", {type: "range", min: 0, max: last, step: 1}, label));
      const out = make("output", {}, label);
      slide.setAttribute("aria-label", c.label);
      slide.oninput = () => move(j, +slide.value);
      if (c.play) {
        let timer = 0;
        const play = quiet(make("button", {type: "button", textContent: "Play"}, row)), rest = () => {
          clearInterval(timer); timer = 0; play.textContent = "Play"; };
        play.onclick = () => {
          if (timer) return rest();
          play.textContent = "Pause";
          timer = setInterval(() => +slide.value < last && root.isConnected ? move(j, +slide.value + 1) : rest(), c.play);
        };
      }
      c.follow = p => { slide.value = p; out.textContent = c.stops[p]; slide.setAttribute("aria-valuetext", c.stops[p]); };
    }
  });
  D.actions.forEach(([words, to]) => quiet(make("button", {type: "button", textContent: words,
    onclick: () => show(to[now])}, bar)));
  note.textContent = D.note;
  show(D.start);
})();
