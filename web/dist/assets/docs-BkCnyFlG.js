import{u as e,S as d,w as a,a as p,y as q,h as j,l as b,g,c as T,R as $}from"./board-CE_bdhTn.js";function S({text:n}){return e(d,{children:n.split(/\n\s*\n/).filter(Boolean).map(r=>e("p",{children:e(h,{text:r})},r))})}function h({text:n}){return e(d,{children:n.split("`").map((r,t)=>t%2===1?e("code",{children:r},t):r)})}const E=["get","post","delete"];function P({contract:n}){const r=Object.entries(n.paths).flatMap(([t,i])=>E.flatMap(s=>i[s]?[{path:t,verb:s,operation:i[s]}]:[]));return e(d,{children:[e("h2",{children:[n.info.title," ",n.info.version]}),e(S,{text:n.info.description??""}),e("p",{children:[e("a",{href:"/openapi.yaml",children:"openapi.yaml"})," ",e("a",{href:"/openapi.json",children:"openapi.json"})]}),r.map(({path:t,verb:i,operation:s})=>e(J,{path:t,verb:i,operation:s,contract:n},i+t))]})}function J({path:n,verb:r,operation:t,contract:i}){const s=t.requestBody?.content["application/json"],l=s?.schema&&f(s.schema,i);return e("details",{class:"operation",children:[e("summary",{children:[e("code",{class:"verb",children:r.toUpperCase()})," ",e("code",{children:n})," ",t.summary]}),e(S,{text:t.description??""}),(t.parameters??[]).length>0&&e(C,{parameters:t.parameters}),l&&e(y,{schema:l,contract:i}),e(k,{responses:t.responses,contract:i}),e(H,{path:n,verb:r,examples:A(s)})]})}function f(n,r){const t=n.$ref?.split("/").at(-1);return t?r.components.schemas[t]??{}:n}function v(n){return n.$ref?n.$ref.split("/").at(-1):n.oneOf?n.oneOf.map(v).join(" | "):n.items?`${v(n.items)}[]`:[n.type??"any"].flat().join(" | ")}const N=2;function B({schema:n,contract:r,depth:t}){const i=p(!1),s=[n,n.items,...n.oneOf??[]].find(o=>o?.$ref),l=s&&f(s,r),c=l?.enum?.map(String).join(", ");return c?e("code",{children:c}):!l?.properties||t>=N?null:e("details",{onToggle:o=>i.value=o.currentTarget.open,children:[e("summary",{children:s.$ref.split("/").at(-1)}),i.value&&e(y,{schema:l,contract:r,depth:t+1})]})}function y({schema:n,contract:r,depth:t=0}){return e("div",{class:"scroll",children:e("table",{children:e("tbody",{children:Object.entries(n.properties??{}).map(([i,s])=>e("tr",{children:[e("th",{children:[e("code",{children:i}),n.required?.includes(i)?" *":""]}),e("td",{children:e("code",{children:v(s)})}),e("td",{children:[s.description??s.oneOf?.find(({description:l})=>l)?.description," ",e(B,{schema:s,contract:r,depth:t})]})]},i))})})})}function C({parameters:n}){return e("div",{class:"scroll",children:e("table",{children:e("tbody",{children:n.map(({name:r,in:t,description:i,required:s,schema:l})=>e("tr",{children:[e("th",{children:[e("code",{children:r}),s?" *":""]}),e("td",{children:e("code",{children:[t,": ",v(l??{})]})}),e("td",{children:i})]},r))})})})}function k({responses:n,contract:r}){const t=Object.entries(n).find(([s])=>s.startsWith("2"))?.[1].content?.["application/json"]?.schema,i=t&&f(t,r);return e(d,{children:[e("h3",{children:a().answer}),i?.properties&&e(y,{schema:i,contract:r}),e("ul",{class:"statuses",children:Object.entries(n).map(([s,{description:l}])=>e("li",{children:[e("code",{children:s})," ",l]},s))})]})}function A(n){return n?n.examples?Object.values(n.examples).map(({value:r})=>r):n.example===void 0?[{game:"tictactoe"}]:[n.example]:[]}function H({path:n,verb:r,examples:t}){const i=p(n.replace("{game}","connect4").replace("{kind}","illegal-move")),s=p(t.length>0?JSON.stringify(t[0],null,1):""),l=p(""),c=a(),o=async()=>{const u=r==="delete"?{method:"DELETE"}:r==="post"?{method:"POST",headers:{"content-type":"application/json"},body:s.value}:{};try{const m=await fetch(i.value,u),_=await m.text();l.value=`${m.status}
${R(_)}`}catch{l.value=c.offline}};return e("div",{class:"runner",children:[n.includes("{")&&e("input",{"aria-label":c.request,value:i.value,onInput:u=>i.value=u.currentTarget.value}),r==="post"&&e("textarea",{"aria-label":`${c.request} ${n}`,value:s.value,onInput:u=>s.value=u.currentTarget.value}),t.length>1&&e("p",{class:"controls",children:t.map((u,m)=>e("button",{onClick:()=>s.value=JSON.stringify(u,null,1),children:m+1},m))}),e("p",{class:"controls",children:e("button",{class:"primary",onClick:()=>{o()},children:c.run})}),l.value&&e("pre",{"aria-label":c.answer,tabIndex:0,children:l.value})]})}function R(n){try{return JSON.stringify(JSON.parse(n),null,1)}catch{return n}}function I({info:n}){const r=a();return e("article",{children:[e("h2",{children:n.title}),e("p",{children:e("a",{href:`/#mode=play&game=${n.name}&seats=person,3`,children:r.play})}),e("h3",{children:r.rules}),e("p",{children:e(h,{text:n.rules})}),e("p",{children:[r.source,": ",n.source]}),e("h3",{children:r.notation}),e("p",{children:e(h,{text:n.move_notation})}),n.text_notation&&e("p",{children:e(h,{text:n.text_notation})}),e("p",{children:[e(h,{text:n.limits}),"; ",r.unit,": ",e(h,{text:n.value_unit}),"."]}),e("h3",{children:r.request}),e("pre",{tabIndex:0,children:JSON.stringify(n.example,null,1)}),e("h3",{children:r.methods}),e("p",{children:n.algorithms.map(t=>e("a",{class:"chip",href:`#methods/${t}`,children:[t,t===n.default_algorithm?" *":""]},t))}),e(x,{options:n.options??[]}),(n.levels??[]).length>0&&e(d,{children:[e("h3",{children:r.strength}),e("div",{class:"scroll",children:e("table",{children:[e("thead",{children:e("tr",{children:[e("th",{children:r.level}),e("th",{children:"Elo"}),e("th",{children:r.depth})]})}),e("tbody",{children:n.levels.map(({level:t,elo:i,elo_stderr:s,depth:l})=>e("tr",{children:[e("td",{children:t}),e("td",{children:i==null?"–":`${Math.round(i)} ± ${Math.round(s??0)}`}),e("td",{children:l??"–"})]},t))})]})})]})]})}function M({info:n,games:r}){const t=a(),i=r.filter(s=>s.default_algorithm===n.name);return e("article",{children:[e("h2",{children:n.name}),e("p",{children:e(h,{text:n.about})}),n.source&&e("p",{children:[t.source,": ",n.source]}),e("p",{children:[t.strongestIn,": ",i.length===0?"–":i.map(({name:s,title:l})=>e("a",{class:"chip",href:`#games/${s}`,children:l},s))]}),e("p",{children:[t.needs,": ",n.needs]}),e("p",{children:[t.budgets,": ",n.budgets.length>0?n.budgets.map(s=>e("code",{class:"chip",children:s},s)):"–"]}),e("p",{children:[t.games,": ",n.games.map(s=>e("a",{class:"chip",href:`#games/${s}`,children:s},s))]}),e(x,{options:n.options??[]})]})}function x({options:n}){const r=a();return n.length===0?null:e(d,{children:[e("h3",{children:r.options}),e("div",{class:"scroll",children:e("table",{children:[e("thead",{children:e("tr",{children:[e("th",{children:r.options}),e("th",{children:r.preset}),e("th",{children:r.range}),e("th",{})]})}),e("tbody",{children:n.map(t=>e("tr",{children:[e("th",{children:e("code",{children:t.name})}),e("td",{children:e("code",{children:JSON.stringify(t.default??null)})}),e("td",{children:t.values?.join(" ")??(t.minimum!=null?`${t.minimum} – ${t.maximum??"∞"}`:t.type)}),e("td",{children:e(h,{text:t.about})})]},t.name))})]})})]})}const U=`#!/bin/sh
# Best move with curl. $1: address of the service.
curl --silent --fail "\${1:-http://127.0.0.1:8080}/v1/bestmove" \\
  --header 'content-type: application/json' \\
  --data '{"game": "connect4", "moves": ["4", "4"], "level": 3, "seed": 1}'
`,G=`// Best move with fetch. First argument: address of the service.
const service = process.argv[2] ?? 'http://127.0.0.1:8080';
const response = await fetch(\`\${service}/v1/bestmove\`, {
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ game: 'connect4', moves: ['4', '4'], level: 3, seed: 1 }),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.detail);
console.log(answer.best_move, answer.score);
`,D=`"""Best move with the standard library. First argument: address of the service."""
import json
import sys
import urllib.request

service = sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8080"
question = {"game": "connect4", "moves": ["4", "4"], "level": 3, "seed": 1}
request = urllib.request.Request(
    f"{service}/v1/bestmove",
    data=json.dumps(question).encode(),
    headers={"content-type": "application/json"},
)
with urllib.request.urlopen(request) as response:
    answer = json.load(response)
print(answer["best_move"], answer["score"])
`,F=`// Best move with .NET 8. First argument: address of the service.
using System.Net.Http.Json;
using System.Text.Json;

var service = args.Length > 0 ? args[0] : "http://127.0.0.1:8080";
using var client = new HttpClient();
var question = new { game = "connect4", moves = new[] { "4", "4" }, level = 3, seed = 1 };
using var response = await client.PostAsJsonAsync($"{service}/v1/bestmove", question);
var answer = await response.Content.ReadFromJsonAsync<JsonElement>();
if (!response.IsSuccessStatusCode) throw new Exception(answer.GetProperty("detail").GetString());
Console.WriteLine($"{answer.GetProperty("best_move")} {answer.GetProperty("score")}");
`,L=`# Best move in Godot 4: a node that asks the service and tells the game.
extends HTTPRequest

signal best_move_found(move: String)

@export var service := "http://127.0.0.1:8080"

func ask(moves: Array) -> void:
    request_completed.connect(_on_answer, CONNECT_ONE_SHOT)
    var question := {"game": "connect4", "moves": moves, "level": 3}
    request(service + "/v1/bestmove", ["content-type: application/json"], HTTPClient.METHOD_POST, JSON.stringify(question))

func _on_answer(_result: int, code: int, _headers: PackedStringArray, body: PackedByteArray) -> void:
    var answer: Dictionary = JSON.parse_string(body.get_string_from_utf8())
    if code == 200:
        best_move_found.emit(answer["best_move"])
    else:
        push_error(answer["detail"])
`,z=`// Best move in Unity 2022: StartCoroutine(opponent.Ask(moves, move => Play(move))).
using System;
using System.Collections;
using System.Text;
using UnityEngine;
using UnityEngine.Networking;

public class BestMoveOpponent : MonoBehaviour
{
    public string service = "http://127.0.0.1:8080";

    [Serializable] class Question { public string game = "connect4"; public string[] moves; public int level = 3; }
    [Serializable] class Answer { public string best_move; public string detail; }

    public IEnumerator Ask(string[] moves, Action<string> onMove)
    {
        var body = Encoding.UTF8.GetBytes(JsonUtility.ToJson(new Question { moves = moves }));
        using var request = new UnityWebRequest(service + "/v1/bestmove", "POST")
        {
            uploadHandler = new UploadHandlerRaw(body),
            downloadHandler = new DownloadHandlerBuffer(),
        };
        request.SetRequestHeader("content-type", "application/json");
        yield return request.SendWebRequest();
        var answer = JsonUtility.FromJson<Answer>(request.downloadHandler.text);
        if (request.responseCode == 200) onMove(answer.best_move);
        else Debug.LogError(answer.detail);
    }
}
`,W=[["curl",U],["JavaScript",G],["Python",D],["C#",F],["Godot",L],["Unity",z]];function Q(){return e(d,{children:[e("h2",{children:a().snippets}),W.map(([n,r])=>e("section",{children:[e("h3",{children:n}),e("pre",{tabIndex:0,children:r.replaceAll("http://127.0.0.1:8080",location.origin)})]},n))]})}const O=q(location.hash);addEventListener("hashchange",()=>{O.value=location.hash,scrollTo(0,0)});function V(){const n=p(null),r=p(""),t=a();return j(()=>{Promise.all([g("/openapi.json"),g("/v1/games"),g("/v1/algorithms")]).then(([i,{games:s},{algorithms:l}])=>n.value={contract:i,games:s,algorithms:l},()=>r.value=t.offline)},[b.value]),e(d,{children:[e("header",{children:[e("h1",{children:"bestmove"}),e("nav",{"aria-label":t.reference,children:[e("a",{href:"#",children:t.api}),e("a",{href:"#snippets",children:t.snippets}),e("a",{href:"#games",children:t.games}),e("a",{href:"#methods",children:t.methods}),e("a",{href:"/",children:t.backToBoard})]}),e("button",{onClick:()=>T(b.value==="zh"?"en":"zh"),children:t.language})]}),e("main",{class:"reference",children:[r.value&&e("p",{class:"trouble",role:"alert",children:r.value}),n.value?e(K,{...n.value}):e("p",{class:"quiet",children:t.loading})]})]})}function K({contract:n,games:r,algorithms:t}){const[i,s]=O.value.replace("#","").split("/"),l=r.find(o=>o.name===s),c=t.find(o=>o.name===s);return i==="games"&&l?e(I,{info:l}):i==="methods"&&c?e(M,{info:c,games:r}):i==="games"?e(w,{title:a().games,section:"games",entries:r.map(o=>[o.name,o.title])}):i==="methods"?e(w,{title:a().methods,section:"methods",entries:t.map(o=>[o.name,o.about])}):i==="snippets"?e(Q,{}):e(P,{contract:n})}function w({title:n,section:r,entries:t}){return e(d,{children:[e("h2",{children:n}),e("ul",{children:t.map(([i,s])=>e("li",{children:[e("a",{href:`#${r}/${i}`,children:i})," ",s]},i))})]})}$(e(V,{}),document.getElementById("page"));
