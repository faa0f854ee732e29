// Best move in Unity 2022: StartCoroutine(opponent.Ask(moves, move => Play(move))).
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
