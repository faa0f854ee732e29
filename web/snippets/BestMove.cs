// Best move with .NET 8. First argument: address of the service.
using System.Net.Http.Json;
using System.Text.Json;

var service = args.Length > 0 ? args[0] : "http://127.0.0.1:8080";
using var client = new HttpClient();
var question = new { game = "connect4", moves = new[] { "4", "4" }, level = 3, seed = 1 };
using var response = await client.PostAsJsonAsync($"{service}/v1/bestmove", question);
var answer = await response.Content.ReadFromJsonAsync<JsonElement>();
if (!response.IsSuccessStatusCode) throw new Exception(answer.GetProperty("detail").GetString());
Console.WriteLine($"{answer.GetProperty("best_move")} {answer.GetProperty("score")}");
